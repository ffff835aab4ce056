package collect

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/compositor"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/wayland"
	"github.com/pertain-dev/pertain/collect/internal/x11"
	"github.com/pertain-dev/pertain/facts"
)

// target is what the accessibility bus is asked for.
func (w window) target() atspi.Target {
	return atspi.Target{Title: w.title, Shown: w.shown(), PID: w.pid, Process: w.process, Dialog: w.dialog, X: w.x, Y: w.y, Width: w.width}
}

// accessible finds a window on the accessibility bus.
func (d *desktop) accessible(ctx context.Context, w window) (atspi.Window, error) {
	bus, err := d.session.Dial(ctx)
	if err != nil {
		return atspi.Window{}, err
	}
	at := w.accessible
	if at.None() {
		found, err := bus.Find(ctx, w.target(), func() []string { return d.otherTitles(w) })
		if err != nil {
			return atspi.Window{}, atspi.Unanswered(ctx, err)
		}
		if err := d.private().Refuses(found.Name, process.Names(found.PID)...); err != nil { // what is read need not be what X calls so
			return atspi.Window{}, err
		}
		at = found.Node
	}
	if at.None() {
		if ctx.Err() != nil {
			return atspi.Window{}, atspi.Unanswered(ctx, ctx.Err())
		}
		return atspi.Window{}, notAccessible(w, d.session.Enabled(ctx))
	}
	return bus.Open(ctx, at, w.target())
}

// frontOfWayland is the window in front where there is no X server: as the compositor tells
// it, or else the one that calls itself active on the accessibility bus. Of a window that
// both tell of, the bus knows more.
func (d *desktop) frontOfWayland(ctx context.Context) (window, error) {
	told, err := wayland.InFront(ctx, d.options.Env)
	if errors.Is(err, wayland.ErrUntold) {
		told, err = d.compositors.InFront(ctx, d.sessionAddress())
	}
	if errors.Is(err, wayland.ErrNone) {
		return window{}, errNoWindow
	}
	shown, failed := d.frontOfBus(ctx)
	if err != nil {
		if errors.Is(err, compositor.ErrRefused) && errors.Is(failed, atspi.ErrNoneActive) {
			failed = errShell
		}
		return shown, failed
	}
	if failed == nil && (shown.pid == told.PID || told.PID == 0 && shown.title == told.Title) {
		return shown.toldAs(told), nil
	}
	if told.PID == 0 {
		return window{title: told.Title, class: told.Class, told: told.ID}, nil
	}
	w := window{title: told.Title, class: told.Class, told: told.ID, pid: told.PID, process: process.UsualName(told.PID)}
	if bus, err := d.session.Dial(ctx); err == nil { // nobody tells which of its windows a dialog belongs to
		w.family = bus.NamesOf(ctx, told.PID)
	}
	return w, nil
}

// errShell is the answer where GNOME Shell keeps to itself what the accessibility bus does not know.
var errShell = facts.Unavailable("GNOME Shell does not tell other programs which window is in front, and no program on the accessibility bus says that it is",
	"start the program again if it was started before accessibility was turned on; what is not on that bus, as some terminals are not, cannot be seen under GNOME on Wayland")

// toldAs is a window of the bus with what the compositor says of it. Where the title on the
// bus is no part of the compositor's, one of the two may be late, and that of what is read
// counts; neither may be private.
func (w window) toldAs(told wayland.Front) window {
	w.class = told.Class
	w.family = append(slices.Clip(w.family), told.Title)
	simple := func(title string) string { return strings.Join(strings.Fields(title), " ") }
	if strings.Contains(simple(told.Title), simple(w.title)) {
		w.bar = told.Title
	}
	return w
}

// frontOfBus is the window that calls itself active on the accessibility bus.
func (d *desktop) frontOfBus(ctx context.Context) (window, error) {
	bus, err := d.session.Dial(ctx)
	if err != nil {
		return window{}, err
	}
	found, family, err := bus.Active(ctx)
	if err != nil {
		return window{}, err
	}
	return window{title: found.Name, pid: found.PID, process: process.UsualName(found.PID), accessible: found.Node, family: family}, nil
}

// turnOn is the command that makes programs show themselves on the bus.
const turnOn = "`busctl --user set-property org.a11y.Bus /org/a11y/bus org.a11y.Status IsEnabled b true`"

// notAccessible says what to do about a program that is not on the bus. on tells
// whether programs that are started now show themselves there.
func notAccessible(w window, on bool) error {
	const reason = "the program in front is not on the accessibility bus"
	name := strings.ToLower(w.process + " " + w.class)
	first, then := "run "+turnOn, ", then start"
	if on {
		first, then = "", "start"
	}
	switch {
	case browser.IsChromium(name):
		return facts.PermissionMissing(reason, first+then+" the browser again")
	case browser.IsFirefox(name) && !on:
		return facts.PermissionMissing(reason, first)
	case strings.Contains(name, "pcmanfm") && !strings.Contains(name, "pcmanfm-qt"):
		return facts.PermissionMissing(reason, "install libatk-adaptor and libgail-common, and start it with GTK_MODULES=gail:atk-bridge")
	case on:
		return facts.PermissionMissing(reason, "start it again if it was started before accessibility was turned on; some programs, such as xterm, do not support accessibility")
	}
	return facts.PermissionMissing(reason, first+then+" the program again; some programs do not support accessibility")
}

// errBehind is the answer about the keyboard of a window that is not in front: most
// programs tell which element has it only while they have it.
var errBehind = facts.Unavailable("the window is not in front, and its program does not tell which element had the keyboard", "run `pertain service install`: the service knows it")

// frontsBefore are the windows that were in front, the last one last, while the desktop
// is watched. They are numbers and nothing that the windows show.
type frontsBefore struct {
	mu  sync.Mutex
	all []frontBefore
}

type frontBefore struct {
	id   uint32     // of X
	node atspi.Node // on Wayland
}

// maxFronts is how many are known; some may be closed when they are asked for.
const maxFronts = 16

// note notes what is in front now.
func (f *frontsBefore) note(w window) {
	now := frontBefore{w.id, w.accessible}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = slices.DeleteFunc(f.all, func(one frontBefore) bool { return one == now })
	if f.all = append(f.all, now); len(f.all) > maxFronts {
		f.all = slices.Delete(f.all, 0, 1)
	}
}

// before are the windows that were in front before another, the last one first.
func (f *frontsBefore) before(w window) []frontBefore {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(f.all), func(one frontBefore) bool { return one == frontBefore{w.id, w.accessible} })
	slices.Reverse(all)
	return all
}

// frontUnchecked is the window that is read: the one in front, unless the options name
// another.
func (d *desktop) frontUnchecked(ctx context.Context) (window, error) {
	if d.options.Window != 0 {
		return d.namedWindow(ctx, d.options.Window)
	}
	w, err := d.inFront(ctx)
	if err != nil || d.options.Asker == 0 || d.warm.Load() == nil || !process.Below(d.options.Asker, w.pid) {
		return w, err
	}
	for _, one := range d.fronts.before(w) {
		if before, err := d.behind(ctx, one); err == nil {
			return before, nil
		}
	}
	return window{}, facts.Unavailable("it is not known which window was in front before this terminal", "name it with --context-from")
}

// behind is a window that was in front.
func (d *desktop) behind(ctx context.Context, one frontBefore) (window, error) {
	if d.wayland() {
		return d.behindOnBus(ctx, one.node, 0)
	}
	return d.askX11(ctx, func(x *x11.Conn) (window, error) {
		shown, err := x.ShownWindows()
		if err != nil || !slices.Contains(shown, one.id) {
			return window{}, errNoWindow
		}
		return d.behindOnX11(x, one.id)
	})
}

// namedWindow is a window of X by its number, or the only one of a process by that of
// the process.
func (d *desktop) namedWindow(ctx context.Context, number int) (window, error) {
	if d.wayland() {
		return d.behindOnBus(ctx, atspi.Node{}, number)
	}
	return d.askX11(ctx, func(x *x11.Conn) (window, error) {
		shown, err := x.ShownWindows()
		if err != nil {
			return window{}, facts.Unavailable("the X server does not tell its windows", "try again, if the desktop still runs")
		}
		var own []uint32
		for _, id := range shown {
			if int(id) == number {
				return d.behindOnX11(x, id)
			}
			if w, ok := x.Window(id); ok && w.PID == number {
				own = append(own, id)
			}
		}
		switch len(own) {
		case 0:
			return window{}, facts.Unavailable("there is no window of that number, and no process of it with a window", "take the number that `xdotool getactivewindow` prints")
		case 1:
			return d.behindOnX11(x, own[0])
		}
		return window{}, facts.Unavailable("the program has several windows", "name one of them by the number that `xdotool getactivewindow` prints")
	})
}

// behindOnX11 is a window, which may be in front all the same.
func (d *desktop) behindOnX11(x *x11.Conn, id uint32) (window, error) {
	found, ok := x.Window(id)
	if !ok {
		return window{}, errNoWindow
	}
	w := fromX11(found)
	if active, err := x.ActiveWindow(); err != nil || active != id {
		w.behind = true
	}
	return w, nil
}

func (d *desktop) behindOnBus(ctx context.Context, at atspi.Node, pid int) (window, error) {
	bus, err := d.session.Dial(ctx)
	if err != nil {
		return window{}, err
	}
	found, family, err := bus.Behind(ctx, at, pid)
	if err != nil {
		return window{}, err
	}
	w := window{title: found.Name, pid: found.PID, process: process.UsualName(found.PID), accessible: found.Node, family: family, behind: true}
	if active, _, err := bus.Active(ctx); err == nil && active.Node == found.Node {
		w.behind = false
	}
	return w, nil
}

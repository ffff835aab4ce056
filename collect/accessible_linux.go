package collect

import (
	"context"
	"errors"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/wayland"
	"github.com/pertain-dev/pertain/facts"
)

// target is what the accessibility bus is asked for.
func (w window) target() atspi.Target {
	return atspi.Target{Title: w.title, PID: w.pid, Process: w.process, Dialog: w.dialog, X: w.x, Y: w.y, Width: w.width}
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
	if errors.Is(err, wayland.ErrNone) {
		return window{}, errNoWindow
	}
	shown, failed := d.frontOfBus(ctx)
	if err != nil || failed == nil && shown.pid == told.PID {
		return shown, failed
	}
	w := window{title: told.Title, class: told.Class, pid: told.PID, process: process.UsualName(told.PID)}
	if bus, err := d.session.Dial(ctx); err == nil { // nobody tells which of its windows a dialog belongs to
		w.family = bus.NamesOf(ctx, told.PID)
	}
	return w, nil
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

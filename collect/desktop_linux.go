package collect

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/compositor"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/x11"
	"github.com/pertain-dev/pertain/facts"
)

// systemName begins the ids of collectors; readPermission is what those need
// that read other programs' windows.
const (
	systemName     = "linux"
	readPermission = "accessibility"
)

// desktop is the user's session on this machine, as one caller may read it.
type desktop struct {
	options Options
	names   judged // by which windows were found private or not
	*connections
}

// connections are what all callers share: an X server or a Wayland compositor, and
// the accessibility bus. They are made when they are needed and kept.
type connections struct {
	session *atspi.Session // the accessibility bus; reading the X server does not wait for it

	transfers x11.Transfers

	// asking holds a value for each question about the window in front that the X
	// server has not answered, so that few go on when it hangs.
	asking chan struct{}

	compositors compositor.Compositors // of KDE and GNOME

	reaching sync.Mutex // held while somebody connects to the X server, which may hang; close does not wait for it

	warm   atomic.Pointer[warmCache] // what is kept at hand while the desktop is watched; nil: nothing
	fronts frontsBefore              // while it is watched

	mu sync.Mutex
	x  *x11.Conn
}

// window is the one in front.
type window struct {
	id              uint32 // of X; 0 on Wayland
	title           string
	bar             string     // the title as its title bar has it; empty: the same
	instance, class string     // of X's WM_CLASS
	pid             int        // 0: unknown
	process         string     // name of its program, as it has everywhere
	x, y, width     int        // of its content on the screen, in pixels
	accessible      atspi.Node // on Wayland, where the bus told it; else zero
	told            string     // on Wayland, where the bus did not: what the compositor tells its windows apart by
	owner           uint32     // of X: the window that it belongs to, as a dialog does; 0: none
	dialog          bool       // it belongs to another window, or calls itself something less than a window
	family          []string   // on Wayland: titles of the windows that it may belong to
	behind          bool       // another one is in front
}

func newDesktop(options Options) *desktop {
	d := &desktop{options: options, connections: &connections{asking: make(chan struct{}, 8)}}
	d.session = atspi.NewSession(d.sessionAddress)
	return d
}

// lends says that with gives the same connections.
const lends = true

// with is the same desktop for another caller.
func (d *desktop) with(options Options) *desktop {
	return &desktop{options: options, connections: d.connections}
}

func (d *desktop) close() {
	d.transfers.Wait()
	d.session.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.x != nil {
		d.x.Close()
		d.x = nil
	}
}

// collectors is the table of what reads a Linux desktop, in the order of asking.
func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{
		absence{systemName + ".desktop", d.absent},
		selectionReader{d},
		visual{d, atspi.NewTypes()},
		active{d},
		clipboardReader{desktop: d, id: "linux.wayland.clipboard", wayland: true},
		clipboardReader{desktop: d, id: "linux.x11.clipboard"},
		fileManager{d},
		newDevTools(d),
		tabReader{d},
	}
}

// wayland tells whether the session's windows are a Wayland compositor's.
func (d *desktop) wayland() bool { return d.options.Env("WAYLAND_DISPLAY") != "" }

// waylandSocket is where the compositor listens.
func (d *desktop) waylandSocket() string {
	name := d.options.Env("WAYLAND_DISPLAY")
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	dir := d.runtimeDir()
	if dir == "" {
		return "" // not one of the working directory
	}
	return filepath.Join(dir, name)
}

// runtimeDir is where the session keeps its sockets, or "". A relative path is
// none, as the XDG specification has it: it would be a stranger's folder.
func (d *desktop) runtimeDir() string {
	if dir := d.options.Env("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// sessionAddress is that of the session bus, or "". No bus is started.
func (d *desktop) sessionAddress() string {
	if address := d.options.Env("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address
	}
	if dir := d.runtimeDir(); dir != "" {
		socket := filepath.Join(dir, "bus")
		if _, err := os.Stat(socket); err == nil {
			return "unix:path=" + socket
		}
	}
	return ""
}

// present tells whether there is a desktop at all.
func (d *desktop) present() bool {
	return d.wayland() || x11.IsLocal(d.options.Env("DISPLAY"))
}

// absent says why there is no desktop to read; nil if there is one.
func (d *desktop) absent() error {
	switch {
	case d.present():
		return nil
	case d.options.Env("DISPLAY") == "":
		return facts.Unavailable("there is no desktop: neither DISPLAY nor WAYLAND_DISPLAY is set", "start Pertain inside the desktop session, or give a context with --context")
	}
	return facts.Unavailable("DISPLAY names no desktop of this machine", "start Pertain on the machine whose desktop it is to read, with a DISPLAY such as :0")
}

// x11 is the connection to the X server.
func (d *desktop) x11() (*x11.Conn, error) {
	d.reaching.Lock()
	defer d.reaching.Unlock()
	d.mu.Lock()
	known := d.x
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	x, err := x11.Dial(d.options.Env("DISPLAY"))
	if err != nil {
		return nil, x11.Unreachable(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.x = x
	return x, nil
}

// forget drops a connection to the X server that has failed.
func (d *desktop) forget(x *x11.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.x == x {
		d.x = nil
		x.Close()
	}
}

// front is the window in front, if it may be read.
func (d *desktop) front(ctx context.Context) (window, error) {
	w, err := d.frontUnchecked(ctx)
	if err == nil {
		err = d.guard(ctx, w)
	}
	if err != nil {
		return window{}, err
	}
	return w, nil
}

// inFront is the window in front.
func (d *desktop) inFront(ctx context.Context) (window, error) {
	if d.wayland() {
		return d.frontOfWayland(ctx)
	}
	return d.askX11(ctx, d.frontOfX11)
}

// askX11 asks the X server about a window, for as long as ctx.
func (d *desktop) askX11(ctx context.Context, ask func(*x11.Conn) (window, error)) (window, error) {
	select {
	case d.asking <- struct{}{}:
	case <-ctx.Done():
		return window{}, x11.Unreachable(x11.ErrStuck)
	}
	type answer struct {
		window window
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() { <-d.asking }()
		x, err := d.x11()
		if err != nil {
			done <- answer{err: err}
			return
		}
		w, err := ask(x)
		done <- answer{w, err}
	}()
	select {
	case a := <-done:
		return a.window, a.err
	case <-ctx.Done():
		return window{}, x11.Unreachable(x11.ErrStuck)
	}
}

// frontOfX11 asks the X server, as long as that takes.
func (d *desktop) frontOfX11(x *x11.Conn) (window, error) {
	id, err := x.ActiveWindow()
	if err != nil {
		d.forget(x)
		return window{}, facts.Unavailable("the X server has gone", "try again, if the desktop still runs")
	}
	if id == 0 {
		return window{}, errNoWindow
	}
	w, ok := x.Window(id)
	if !ok {
		return window{}, errNoWindow
	}
	return fromX11(w), nil
}

// fromX11 is a window of the X server with what /proc tells of its program.
func fromX11(x x11.Window) window {
	w := window{
		id: x.ID, title: x.Title, bar: x.Shown, instance: x.Instance, class: x.Class, pid: x.PID, process: process.UsualName(x.PID),
		x: x.X + x.ShadowLeft, y: x.Y + x.ShadowTop, width: x.Width, owner: x.Owner, dialog: x.Dialog,
	}
	if w.isBrowser() && x.Role != "browser" { // it tells about a page of another, such as Firefox's page info
		w.dialog = true
	}
	return w
}

// exchange opens the way to the selections of the X server.
func (d *desktop) exchange(ctx context.Context) (*x11.Exchange, error) {
	return x11.Open(ctx, d.options.Env("DISPLAY"), &d.transfers)
}

// shown is the title as people see it.
func (w window) shown() string { return cmp.Or(w.bar, w.title) }

// key tells windows apart; "": nothing does.
func (w window) key() string {
	switch {
	case w.id != 0:
		return strconv.Itoa(int(w.id))
	case !w.accessible.None():
		return w.accessible.Name + string(w.accessible.Path)
	}
	return w.told
}

// programFile is the file that a process runs; "" if it is not known.
func (*desktop) programFile(pid int) string {
	file, err := os.Readlink(process.Path(pid, "exe"))
	if pid <= 0 || err != nil {
		return ""
	}
	return strings.TrimSuffix(file, " (deleted)")
}

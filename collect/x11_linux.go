package collect

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// x11 is a connection to the X server of this machine.
type x11 struct {
	conn *xgb.Conn
	root xproto.Window
	mask uint32 // the bits of an id that a client chooses; the others tell the client

	mu    sync.Mutex
	atoms map[string]xproto.Atom
}

// localDisplay tells whether a display is on this machine. One that is reached
// over the network, as with ssh -X, is another machine's desktop.
func localDisplay(display string) bool {
	host, _, ok := strings.Cut(display, ":")
	return ok && (host == "" || host == "unix" || strings.HasPrefix(display, "/"))
}

func dialX11(display string) (*x11, error) {
	if !localDisplay(display) {
		return nil, errors.New("the display is not on this machine")
	}
	xgb.Logger.SetOutput(io.Discard) // it would tell on stderr that there is no Xauthority file, which is fine
	conn, err := xgb.NewConnDisplay(strings.TrimPrefix(display, "unix"))
	if err != nil {
		return nil, err
	}
	setup := xproto.Setup(conn)
	if len(setup.Roots) == 0 {
		conn.Close()
		return nil, errors.New("the display has no screen")
	}
	return &x11{conn: conn, root: setup.DefaultScreen(conn).Root, mask: setup.ResourceIdMask, atoms: map[string]xproto.Atom{}}, nil
}

// unreachable says what to do about an X server that cannot be dialled. The
// library tells a refusal by words alone.
func unreachable(err error) error {
	failed := facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "the X server cannot be reached", Remedy: "set DISPLAY to that of a desktop that runs", Err: err}
	switch text := err.Error(); {
	case errors.Is(err, errServerStuck):
		failed.Code, failed.Reason, failed.Remedy = diag.ExtraProviderTimeout, "the X server does not answer", "wait until it reacts again"
	case strings.Contains(text, "authentication refused"), strings.Contains(text, "permission denied"):
		failed.Code, failed.Reason = diag.ExtraPermissionUnavailable, "the X server refuses to be read"
		failed.Remedy = "start Pertain as the user of the desktop, with XAUTHORITY as it is set there"
	}
	return &failed
}

// dialX11Within is dialX11 for a server that may hang, where the dialling is left
// behind.
func dialX11Within(ctx context.Context, display string) (*x11, error) {
	type result struct {
		x   *x11
		err error
	}
	done := make(chan result)
	go func() {
		x, err := dialX11(display)
		select {
		case done <- result{x, err}:
		case <-ctx.Done():
			if err == nil {
				x.conn.Close()
			}
		}
	}()
	select {
	case r := <-done:
		return r.x, r.err
	case <-ctx.Done():
		return nil, errServerStuck
	}
}

// atom finds the number of a name, asking the server once.
func (x *x11) atom(name string) (xproto.Atom, error) {
	x.mu.Lock()
	known, ok := x.atoms[name]
	x.mu.Unlock()
	if ok {
		return known, nil
	}
	reply, err := xproto.InternAtom(x.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.atoms[name] = reply.Atom
	return reply.Atom, nil
}

// prepare finds several atoms in one round trip.
func (x *x11) prepare(names ...string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	cookies := map[string]xproto.InternAtomCookie{}
	for _, name := range names {
		if _, ok := x.atoms[name]; !ok {
			cookies[name] = xproto.InternAtom(x.conn, false, uint16(len(name)), name)
		}
	}
	for name, cookie := range cookies {
		reply, err := cookie.Reply()
		if err != nil {
			return err
		}
		x.atoms[name] = reply.Atom
	}
	return nil
}

// maxProperty is how much of a window's property is read, in units of 4 bytes.
const maxProperty = 64 << 10

// properties reads several properties of a window in one round trip. What the
// window does not have is nil.
func (x *x11) properties(w xproto.Window, names ...string) (map[string][]byte, error) {
	if err := x.prepare(names...); err != nil {
		return nil, err
	}
	cookies := make([]xproto.GetPropertyCookie, len(names))
	for i, name := range names {
		atom, err := x.atom(name)
		if err != nil {
			return nil, err
		}
		cookies[i] = xproto.GetProperty(x.conn, false, w, atom, xproto.GetPropertyTypeAny, 0, maxProperty)
	}
	out := map[string][]byte{}
	var failed error
	for i, cookie := range cookies {
		reply, err := cookie.Reply()
		if err != nil {
			failed = err
			continue
		}
		if reply.Format != 0 {
			out[names[i]] = reply.Value
		}
	}
	return out, failed
}

func firstWord(value []byte) uint32 {
	if len(value) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(value)
}

// sameClient tells whether two ids were made by one client of the server.
func (x *x11) sameClient(a, b xproto.Window) bool {
	return uint32(a)&^x.mask == uint32(b)&^x.mask
}

// activeWindow is the window that the window manager says is in front, or else
// the one that has the keyboard.
func (x *x11) activeWindow() (xproto.Window, error) {
	root, err := x.properties(x.root, "_NET_ACTIVE_WINDOW", "_NET_SUPPORTING_WM_CHECK")
	if err != nil {
		return 0, err
	}
	value, told := root["_NET_ACTIVE_WINDOW"]
	if told || root["_NET_SUPPORTING_WM_CHECK"] != nil {
		return xproto.Window(firstWord(value)), nil
	}
	focus, err := xproto.GetInputFocus(x.conn).Reply()
	if err != nil {
		return 0, err
	}
	w := focus.Focus
	for w > xproto.InputFocusPointerRoot && w != x.root {
		if p, err := x.properties(w, "WM_CLASS"); err == nil && p["WM_CLASS"] != nil {
			return w, nil
		}
		tree, err := xproto.QueryTree(x.conn, w).Reply()
		if err != nil {
			return 0, err
		}
		w = tree.Parent
	}
	return 0, nil
}

// windowsOf are the windows, of all that the window manager shows, that were
// made by the client which made one.
func (x *x11) windowsOf(one xproto.Window) ([]xproto.Window, error) {
	all, err := x.shownWindows()
	return slices.DeleteFunc(all, func(w xproto.Window) bool { return !x.sameClient(w, one) }), err
}

// shownWindows are all windows that the window manager shows.
func (x *x11) shownWindows() ([]xproto.Window, error) {
	root, err := x.properties(x.root, "_NET_CLIENT_LIST")
	if err != nil {
		return nil, err
	}
	var all []xproto.Window
	if list, told := root["_NET_CLIENT_LIST"]; told {
		for at := 0; at+4 <= len(list); at += 4 {
			all = append(all, xproto.Window(firstWord(list[at:])))
		}
	} else { // without a window manager
		tree, err := xproto.QueryTree(x.conn, x.root).Reply()
		if err != nil {
			return nil, err
		}
		for _, w := range tree.Children {
			if p, err := x.properties(w, "WM_CLASS"); err == nil && p["WM_CLASS"] != nil {
				all = append(all, w)
			}
		}
	}
	return all, nil
}

// lesser tells whether a window's types, of which the first counts, are those of
// one that belongs to others: all but a window's own and the desktop's.
func (x *x11) lesser(types []byte) bool {
	if len(types) < 4 {
		return false
	}
	for _, name := range []string{"_NET_WM_WINDOW_TYPE_NORMAL", "_NET_WM_WINDOW_TYPE_DESKTOP"} {
		if own, err := x.atom(name); err == nil && xproto.Atom(firstWord(types)) == own {
			return false
		}
	}
	return true
}

// window reads what there is to know about a window; false if it has just gone.
func (x *x11) window(id xproto.Window) (window, bool) {
	geometry := xproto.GetGeometry(x.conn, xproto.Drawable(id))
	origin := xproto.TranslateCoordinates(x.conn, id, x.root, 0, 0)
	p, err := x.properties(id, "_NET_WM_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "WM_CLIENT_MACHINE", "_GTK_FRAME_EXTENTS", "WM_TRANSIENT_FOR", "_NET_WM_WINDOW_TYPE", "WM_WINDOW_ROLE")
	if err != nil {
		return window{}, false
	}
	w := window{id: uint32(id), title: string(p["_NET_WM_NAME"]), owner: firstWord(p["WM_TRANSIENT_FOR"])}
	w.dialog = p["WM_TRANSIENT_FOR"] != nil || x.lesser(p["_NET_WM_WINDOW_TYPE"])
	if p["_NET_WM_NAME"] == nil {
		w.title = string(p["WM_NAME"])
	}
	if instance, class, ok := strings.Cut(string(p["WM_CLASS"]), "\x00"); ok {
		w.instance, w.class = instance, strings.TrimRight(class, "\x00")
	}
	host, err := os.Hostname()
	if machine := p["WM_CLIENT_MACHINE"]; err != nil || machine == nil || string(machine) == host || string(machine) == "localhost" {
		w.pid = int(firstWord(p["_NET_WM_PID"]))
	}
	if g, err := geometry.Reply(); err == nil {
		w.width, w.height = int(g.Width), int(g.Height)
	}
	if o, err := origin.Reply(); err == nil {
		w.x, w.y = int(o.DstX), int(o.DstY)
	}
	if e := p["_GTK_FRAME_EXTENTS"]; len(e) >= 16 { // left right top bottom
		w.shadowLeft, w.shadowTop = int(firstWord(e)), int(firstWord(e[8:]))
	}
	w.process = process.Name(w.pid)
	if w.isBrowser() && string(p["WM_WINDOW_ROLE"]) != "browser" { // it tells about a page of another, such as Firefox's page info
		w.dialog = true
	}
	return w, true
}

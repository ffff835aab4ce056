package x11

import (
	"os"
	"slices"
	"strings"

	"github.com/jezek/xgb/xproto"
)

// Window is a window as the X server and its window manager describe it.
type Window struct {
	ID                    uint32
	Title                 string
	Shown                 string // the title as its title bar has it
	Instance, Class       string // WM_CLASS
	Role                  string // WM_WINDOW_ROLE, such as browser
	PID                   int    // 0: unknown, or a process of another machine
	X, Y, Width           int    // on the screen, in pixels
	ShadowLeft, ShadowTop int    // how far a GTK 4 window's own picture begins before its content
	Owner                 uint32 // the window that it belongs to, as a dialog does; 0: none
	Dialog                bool   // it belongs to another window, or calls itself something less than a window
}

// ActiveWindow is the window that the window manager says is in front, or else
// the one that has the keyboard.
func (x *Conn) ActiveWindow() (uint32, error) {
	root, err := x.properties(x.root, "_NET_ACTIVE_WINDOW", "_NET_SUPPORTING_WM_CHECK")
	if err != nil {
		return 0, err
	}
	value, told := root["_NET_ACTIVE_WINDOW"]
	if told || root["_NET_SUPPORTING_WM_CHECK"] != nil {
		return firstWord(value), nil
	}
	focus, err := xproto.GetInputFocus(x.conn).Reply()
	if err != nil {
		return 0, err
	}
	w := focus.Focus
	for w > xproto.InputFocusPointerRoot && w != x.root {
		if p, err := x.properties(w, "WM_CLASS"); err == nil && p["WM_CLASS"] != nil {
			return uint32(w), nil
		}
		tree, err := xproto.QueryTree(x.conn, w).Reply()
		if err != nil {
			return 0, err
		}
		w = tree.Parent
	}
	return 0, nil
}

// WindowsOf are the windows, of all that the window manager shows, that were
// made by the client which made one.
func (x *Conn) WindowsOf(one uint32) ([]uint32, error) {
	all, err := x.ShownWindows()
	return slices.DeleteFunc(all, func(w uint32) bool { return !x.SameClient(w, one) }), err
}

// ShownWindows are all windows that the window manager shows.
func (x *Conn) ShownWindows() ([]uint32, error) {
	root, err := x.properties(x.root, "_NET_CLIENT_LIST")
	if err != nil {
		return nil, err
	}
	var all []uint32
	if list, told := root["_NET_CLIENT_LIST"]; told {
		for at := 0; at+4 <= len(list); at += 4 {
			all = append(all, firstWord(list[at:]))
		}
	} else { // without a window manager
		tree, err := xproto.QueryTree(x.conn, x.root).Reply()
		if err != nil {
			return nil, err
		}
		for _, w := range tree.Children {
			if p, err := x.properties(w, "WM_CLASS"); err == nil && p["WM_CLASS"] != nil {
				all = append(all, uint32(w))
			}
		}
	}
	return all, nil
}

// lesser tells whether a window's types, of which the first counts, are those of
// one that belongs to others: all but a window's own and the desktop's.
func (x *Conn) lesser(types []byte) bool {
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

// shown is a title as the title bar has it. Window managers write it beside the title
// where it differs, as for the second window of one title, but KWin not where it only
// leaves out spaces: Kate's titles have two in a row.
func (x *Conn) shown(title, visible string) string {
	if visible != "" {
		return strings.TrimRight(visible, leftToRight)
	}
	simple := strings.Join(strings.Fields(title), " ")
	if simple == title || x.manager() != "KWin" {
		return title
	}
	return simple
}

// leftToRight is the mark by which KWin ends a title with a number, so that the number
// stays where it is after Arabic and Hebrew titles.
const leftToRight = "\u200e"

// manager is the window manager's name; empty: not known.
func (x *Conn) manager() string {
	root, err := x.properties(x.root, "_NET_SUPPORTING_WM_CHECK")
	if err != nil || root["_NET_SUPPORTING_WM_CHECK"] == nil {
		return ""
	}
	own, err := x.properties(xproto.Window(firstWord(root["_NET_SUPPORTING_WM_CHECK"])), "_NET_WM_NAME")
	if err != nil {
		return ""
	}
	return string(own["_NET_WM_NAME"])
}

// Window reads what there is to know about a window; false if it has just gone.
func (x *Conn) Window(id uint32) (Window, bool) {
	at := xproto.Window(id)
	geometry := xproto.GetGeometry(x.conn, xproto.Drawable(at))
	origin := xproto.TranslateCoordinates(x.conn, at, x.root, 0, 0)
	p, err := x.properties(at, "_NET_WM_NAME", "_NET_WM_VISIBLE_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "WM_CLIENT_MACHINE", "_GTK_FRAME_EXTENTS", "WM_TRANSIENT_FOR", "_NET_WM_WINDOW_TYPE", "WM_WINDOW_ROLE")
	if err != nil {
		return Window{}, false
	}
	w := Window{ID: id, Title: string(p["_NET_WM_NAME"]), Role: string(p["WM_WINDOW_ROLE"]), Owner: firstWord(p["WM_TRANSIENT_FOR"])}
	w.Dialog = p["WM_TRANSIENT_FOR"] != nil || x.lesser(p["_NET_WM_WINDOW_TYPE"])
	if p["_NET_WM_NAME"] == nil {
		w.Title = string(p["WM_NAME"])
	}
	w.Shown = x.shown(w.Title, string(p["_NET_WM_VISIBLE_NAME"]))
	if instance, class, ok := strings.Cut(string(p["WM_CLASS"]), "\x00"); ok {
		w.Instance, w.Class = instance, strings.TrimRight(class, "\x00")
	}
	host, err := os.Hostname()
	if machine := p["WM_CLIENT_MACHINE"]; err != nil || machine == nil || string(machine) == host || string(machine) == "localhost" {
		w.PID = int(firstWord(p["_NET_WM_PID"]))
	}
	if g, err := geometry.Reply(); err == nil {
		w.Width = int(g.Width)
	}
	if o, err := origin.Reply(); err == nil {
		w.X, w.Y = int(o.DstX), int(o.DstY)
	}
	if e := p["_GTK_FRAME_EXTENTS"]; len(e) >= 16 { // left right top bottom
		w.ShadowLeft, w.ShadowTop = int(firstWord(e)), int(firstWord(e[8:]))
	}
	return w, true
}

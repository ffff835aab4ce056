package x11

import (
	"context"
	"errors"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
)

// Watch asks the server to tell about the root window and the selections.
func (e *Exchange) Watch() error {
	err := xproto.ChangeWindowAttributesChecked(e.conn, e.root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
	if err != nil {
		return err
	}
	if err := xfixes.Init(e.conn); err != nil {
		return err
	}
	if _, err := xfixes.QueryVersion(e.conn, 5, 0).Reply(); err != nil {
		return err
	}
	for _, name := range []string{clipboard.Clipboard, clipboard.Primary} {
		atom, err := e.atom(name)
		if err != nil {
			return err
		}
		const owned = xfixes.SelectionEventMaskSetSelectionOwner | xfixes.SelectionEventMaskSelectionWindowDestroy | xfixes.SelectionEventMaskSelectionClientClose
		if err := xfixes.SelectSelectionInputChecked(e.conn, e.root, atom, owned).Check(); err != nil {
			return err
		}
	}
	return nil
}

// Follow passes on what the server tells, until ctx ends or the server has gone:
// front is called when another window may be in front, changed when that window
// has another title or a selection another owner.
func (e *Exchange) Follow(ctx context.Context, front, changed func()) {
	active, err := e.atom("_NET_ACTIVE_WINDOW")
	if err != nil {
		return
	}
	title, err := e.atom("_NET_WM_NAME")
	if err != nil {
		return
	}
	shown, err := e.atom("_NET_WM_VISIBLE_NAME")
	if err != nil {
		return
	}
	e.followTitle()
	front() // what changed before the server was asked to tell
	for {
		event, err := e.next(ctx)
		if errors.Is(err, context.Canceled) || err != nil {
			return
		}
		switch event := event.(type) {
		case xproto.PropertyNotifyEvent:
			switch {
			case event.Window == e.root && event.Atom == active:
				e.followTitle()
				front()
			case event.Window != e.root && (event.Atom == title || event.Atom == shown):
				changed()
			}
		case xproto.DestroyNotifyEvent, xproto.UnmapNotifyEvent:
			// The window manager need not say that nothing is in front now.
			front()
		case xfixes.SelectionNotifyEvent:
			changed()
		}
	}
}

// followTitle asks the server to tell when the window in front gets another
// title, as browsers and editors give it with every page and file, and when it
// goes.
func (e *Exchange) followTitle() {
	if w, err := e.ActiveWindow(); err == nil && w != 0 {
		xproto.ChangeWindowAttributes(e.conn, xproto.Window(w), xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify})
	}
}

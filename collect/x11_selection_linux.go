package collect

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// maxTransfer bounds what is taken from another program's selection, in bytes.
const maxTransfer = 16 << 20

var (
	errRefused     = errors.New("the owner of the selection refused")
	errTooMuch     = errors.New("the selection is larger than what is read")
	errServerStuck = errors.New("the X server does not answer")
)

// incoming is the property that selections are put into.
const incoming = "PERTAIN_SELECTION"

// exchange reads selections (the clipboard, the primary selection) from the
// programs that own them. Each has a connection of its own, since it waits for
// events; end it with close.
type exchange struct {
	*x11
	window xproto.Window
	events chan xgb.Event
	done   chan struct{}
	owed   bool            // the owner of a selection was asked, and has not answered yet
	comes  bool            // a long selection is on its way, piece by piece
	open   *sync.WaitGroup // counts the exchanges that must not be cut off
}

func (d *desktop) exchange(ctx context.Context) (*exchange, error) {
	x, err := dialX11Within(ctx, d.options.Env("DISPLAY"))
	if err != nil {
		return nil, err
	}
	e := &exchange{x11: x, events: make(chan xgb.Event), done: make(chan struct{}), open: &d.exchanges}
	e.window, err = xproto.NewWindowId(x.conn)
	if err == nil {
		// Property changes tell when the next piece of a long text is there.
		err = xproto.CreateWindowChecked(x.conn, 0, e.window, x.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0,
			xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
	}
	if err != nil {
		x.conn.Close()
		return nil, err
	}
	e.open.Add(1)
	go e.listen()
	return e, nil
}

// listen passes events on until the connection is closed.
func (e *exchange) listen() {
	defer close(e.events)
	for {
		event, err := e.conn.WaitForEvent()
		if event == nil && err == nil {
			return
		}
		if event == nil {
			continue
		}
		select {
		case e.events <- event:
		case <-e.done:
			return
		}
	}
}

// lingerTime is how long a connection stays for an owner that is late.
const lingerTime = 5 * time.Second

// close ends the connection. Where an answer is still on its way, the window it
// goes to stays: a simple owner such as xclip ends when that has gone, and what
// the user copied would be lost with it. A long answer is taken to its end, and
// thrown away: many owners serve nobody else before.
func (e *exchange) close() {
	if !e.owed && !e.comes {
		e.end()
		e.open.Done()
		return
	}
	kept := e.owed && e.keepWindow()
	if kept {
		e.open.Done() // whatever happens to us now, the owner finds the window
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), lingerTime)
		defer cancel()
		if e.drain(ctx) && kept {
			xproto.SetCloseDownMode(e.conn, xproto.CloseDownDestroyAll)
		}
		e.end()
		if !kept {
			e.open.Done()
		}
	}()
}

// keepWindow makes the server keep the window when this connection ends. There
// are a few at most: the next ones take the place of the oldest, whose owners
// have answered by then or never will.
func (e *exchange) keepWindow() bool {
	const keptWindows, place = 8, "PERTAIN_KEPT"
	if e.prepare(place) != nil {
		return false
	}
	atom, err := e.atom(place)
	if err == nil { // so that nobody takes another program's window for it
		err = xproto.ChangePropertyChecked(e.conn, xproto.PropModeReplace, e.window, atom, xproto.AtomCardinal, 32, 1, make([]byte, 4)).Check()
	}
	if err != nil || xproto.SetCloseDownModeChecked(e.conn, xproto.CloseDownRetainTemporary).Check() != nil {
		return false
	}
	known, err := e.properties(e.root, place)
	if err != nil {
		return true
	}
	list := known[place]
	for len(list) >= 4*keptWindows {
		if old := firstWord(list); uint32(e.window) != old {
			if p, err := e.properties(xproto.Window(old), place); err == nil && p[place] != nil {
				xproto.KillClient(e.conn, old)
			}
		}
		list = list[4:]
	}
	list = binary.LittleEndian.AppendUint32(list, uint32(e.window))
	xproto.ChangeProperty(e.conn, xproto.PropModeReplace, e.root, atom, xproto.AtomWindow, 32, uint32(len(list)/4), list)
	return true
}

// drain takes what is on its way to its end; false if the time was over.
func (e *exchange) drain(ctx context.Context) bool {
	property, err := e.atom(incoming)
	if err != nil {
		return false
	}
	long, err := e.atom("INCR")
	if err != nil {
		return false
	}
	for e.owed {
		event, err := e.next(ctx)
		if err != nil {
			return false
		}
		if notify, ok := event.(xproto.SelectionNotifyEvent); ok {
			e.owed = false
			if notify.Property != 0 {
				kind, _, err := e.take(property)
				e.comes = err == nil && kind == long
			}
		}
	}
	if e.comes {
		_, err := e.pieces(ctx, property)
		return err == nil || errors.Is(err, errTooMuch)
	}
	return true
}

func (e *exchange) end() {
	close(e.done)
	e.conn.Close()
}

// owner is the window that owns a selection, 0 if nobody does.
func (e *exchange) owner(selection string) (xproto.Window, error) {
	atom, err := e.atom(selection)
	if err != nil {
		return 0, err
	}
	reply, err := xproto.GetSelectionOwner(e.conn, atom).Reply()
	if err != nil {
		return 0, err
	}
	return reply.Owner, nil
}

// targets are the forms in which a selection can be had; none if nobody owns
// it. A program that cannot list them has text.
func (e *exchange) targets(ctx context.Context, selection string) ([]string, error) {
	owner, err := e.owner(selection)
	if err != nil || owner == 0 {
		return nil, err
	}
	data, err := e.read(ctx, selection, "TARGETS")
	if errors.Is(err, errRefused) {
		return []string{"STRING"}, nil
	}
	if err != nil {
		return nil, err
	}
	var cookies []xproto.GetAtomNameCookie
	for at := 0; at+4 <= len(data) && len(cookies) < 256; at += 4 {
		cookies = append(cookies, xproto.GetAtomName(e.conn, xproto.Atom(binary.LittleEndian.Uint32(data[at:]))))
	}
	var names []string
	for _, cookie := range cookies {
		if reply, err := cookie.Reply(); err == nil {
			names = append(names, reply.Name)
		}
	}
	return names, nil
}

// read asks the owner for a selection in one form. A program that does not
// answer costs the time that ctx has left, and no more.
func (e *exchange) read(ctx context.Context, selection, target string) ([]byte, error) {
	if err := e.prepare(selection, target, incoming, "INCR"); err != nil {
		return nil, err
	}
	var atoms [4]xproto.Atom
	for i, name := range []string{selection, target, incoming, "INCR"} {
		atoms[i], _ = e.atom(name) // all known by now
	}
	xproto.DeleteProperty(e.conn, e.window, atoms[2])
	e.owed = true
	xproto.ConvertSelection(e.conn, e.window, atoms[0], atoms[1], atoms[2], xproto.TimeCurrentTime)
	for {
		event, err := e.next(ctx)
		if err != nil {
			return nil, err
		}
		notify, ok := event.(xproto.SelectionNotifyEvent)
		if !ok || notify.Selection != atoms[0] || notify.Target != atoms[1] {
			continue
		}
		e.owed = false
		if notify.Property == 0 {
			return nil, errRefused
		}
		kind, data, err := e.take(atoms[2])
		if err != nil || kind != atoms[3] {
			return data, err
		}
		e.comes = true
		return e.pieces(ctx, atoms[2]) // taking the property away has told the owner to begin
	}
}

// pieces reads a long selection, which comes in parts until an empty one. What
// is too much is taken nevertheless, and thrown away.
func (e *exchange) pieces(ctx context.Context, property xproto.Atom) ([]byte, error) {
	var all []byte
	var failed error
	for {
		event, err := e.next(ctx)
		if err != nil {
			return nil, err
		}
		change, ok := event.(xproto.PropertyNotifyEvent)
		if !ok || change.Atom != property || change.State != xproto.PropertyNewValue {
			continue
		}
		_, data, err := e.take(property)
		switch {
		case err != nil && !errors.Is(err, errTooMuch):
			return nil, err
		case err != nil || len(all)+len(data) > maxTransfer:
			all, failed = nil, errTooMuch
		case len(data) == 0:
			e.comes = false
			return all, failed
		case failed == nil:
			all = append(all, data...)
		}
	}
}

// take reads a property whole and removes it.
func (e *exchange) take(property xproto.Atom) (kind xproto.Atom, data []byte, err error) {
	reply, err := xproto.GetProperty(e.conn, true, e.window, property, xproto.GetPropertyTypeAny, 0, maxTransfer/4).Reply()
	if err != nil {
		return 0, nil, err
	}
	if reply.BytesAfter > 0 { // it is removed only when all was read
		xproto.DeleteProperty(e.conn, e.window, property)
		return reply.Type, nil, errTooMuch
	}
	return reply.Type, reply.Value, nil
}

func (e *exchange) next(ctx context.Context) (xgb.Event, error) {
	select {
	case event, ok := <-e.events:
		if !ok {
			return nil, errors.New("the X server has gone")
		}
		return event, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

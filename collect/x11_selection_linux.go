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

var errRefused = errors.New("the owner of the selection refused")

// exchange reads selections (the clipboard, the primary selection) from the
// programs that own them. Each has a connection of its own, since it waits for
// events; end it with close.
type exchange struct {
	*x11
	window xproto.Window
	events chan xgb.Event
	done   chan struct{}
	owed   bool            // the owner of a selection was asked, and has not answered yet
	open   *sync.WaitGroup // counts the exchanges that have not ended
}

func (d *desktop) exchange() (*exchange, error) {
	x, err := dialX11(d.options.Env("DISPLAY"))
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

// lingerTime is how long a window stays for an owner that is late.
const lingerTime = 5 * time.Second

// close ends the connection. Where an answer is still on its way, the window it
// goes to stays for a while: a simple owner such as xclip ends when that has
// gone, and what the user copied would be lost with it.
func (e *exchange) close() {
	if !e.owed {
		e.end()
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), lingerTime)
		defer cancel()
		for {
			event, err := e.next(ctx)
			if _, answered := event.(xproto.SelectionNotifyEvent); err != nil || answered {
				break
			}
		}
		e.end()
	}()
}

func (e *exchange) end() {
	close(e.done)
	e.conn.Close()
	e.open.Done()
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
	const place = "PERTAIN_SELECTION"
	if err := e.prepare(selection, target, place, "INCR"); err != nil {
		return nil, err
	}
	var atoms [4]xproto.Atom
	for i, name := range []string{selection, target, place, "INCR"} {
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
		return e.pieces(ctx, atoms[2]) // taking the property away has told the owner to begin
	}
}

// pieces reads a long selection, which comes in parts until an empty one.
func (e *exchange) pieces(ctx context.Context, property xproto.Atom) ([]byte, error) {
	var all []byte
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
		if err != nil {
			return nil, err
		}
		if len(data) == 0 || len(all) > maxTransfer {
			return all, nil
		}
		all = append(all, data...)
	}
}

// take reads a property whole and removes it.
func (e *exchange) take(property xproto.Atom) (kind xproto.Atom, data []byte, err error) {
	reply, err := xproto.GetProperty(e.conn, true, e.window, property, xproto.GetPropertyTypeAny, 0, maxTransfer/4).Reply()
	if err != nil {
		return 0, nil, err
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

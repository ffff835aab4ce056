package x11

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
)

// ErrStuck is the answer where there was no time left to wait for the server.
var ErrStuck = errors.New("the X server does not answer")

// incoming is the property that selections are put into.
const incoming = "PERTAIN_SELECTION"

// Exchange reads selections (the clipboard, the primary selection) from the
// programs that own them. Each has a connection of its own, since it waits for
// events; end it with close.
type Exchange struct {
	*Conn
	window  xproto.Window
	events  chan xgb.Event
	done    chan struct{}
	owner   uint32    // of the selection that was asked for last
	asked   time.Time // when it was asked last
	owed    bool      // it has not answered yet
	arrives bool      // a long selection is on its way, piece by piece

	transfers *Transfers // of the desktop
	retained  bool       // the window would outlive this connection
}

// Open dials a display for selections; what it leaves open counts as one of
// the transfers.
func Open(ctx context.Context, display string, all *Transfers) (*Exchange, error) {
	x, err := dialWithin(ctx, display)
	if err != nil {
		return nil, err
	}
	e := &Exchange{Conn: x, events: make(chan xgb.Event), done: make(chan struct{}), transfers: all}
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
	e.transfers.begin()
	go e.listen()
	return e, nil
}

// listen passes events on until the connection is closed.
func (e *Exchange) listen() {
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

// Owner is the window that owns a selection, 0 if nobody does.
func (e *Exchange) Owner(selection string) (uint32, error) {
	atom, err := e.atom(selection)
	if err != nil {
		return 0, err
	}
	reply, err := xproto.GetSelectionOwner(e.conn, atom).Reply()
	if err != nil {
		return 0, err
	}
	return uint32(reply.Owner), nil
}

// Targets are the forms in which a selection can be had; none if nobody owns
// it. A program that cannot list them has text.
func (e *Exchange) Targets(ctx context.Context, selection string) ([]string, error) {
	owner, err := e.Owner(selection)
	if err != nil || owner == 0 {
		return nil, err
	}
	e.owner = owner
	if err := e.transfers.turn(ctx, owner); err != nil {
		return nil, err
	}
	data, err := e.Read(ctx, selection, "TARGETS")
	if errors.Is(err, clipboard.ErrRefused) {
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

// Read asks the owner for a selection in one form. A program that does not
// answer costs the time that ctx has left, and no more.
func (e *Exchange) Read(ctx context.Context, selection, target string) ([]byte, error) {
	if err := e.prepare(selection, target, incoming, "INCR"); err != nil {
		return nil, err
	}
	var atoms [4]xproto.Atom
	for i, name := range []string{selection, target, incoming, "INCR"} {
		atoms[i], _ = e.atom(name) // all known by now
	}
	if ctx.Err() != nil { // what is not asked for need not be waited for
		return nil, ctx.Err()
	}
	xproto.DeleteProperty(e.conn, e.window, atoms[2])
	e.retain()
	e.asked, e.owed = time.Now(), true
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
			return nil, clipboard.ErrRefused
		}
		kind, data, err := e.take(atoms[2])
		if err != nil || kind != atoms[3] {
			return data, err
		}
		e.arrives = true
		return e.pieces(ctx, atoms[2]) // taking the property away has told the owner to begin
	}
}

// pieces reads a long selection, which comes in parts until an empty one. What
// is too much is taken nevertheless, and thrown away.
func (e *Exchange) pieces(ctx context.Context, property xproto.Atom) ([]byte, error) {
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
		case err != nil && !errors.Is(err, clipboard.ErrTooMuch):
			return nil, err
		case err != nil || len(all)+len(data) > clipboard.MaxTransfer:
			all, failed = nil, clipboard.ErrTooMuch
		case len(data) == 0:
			e.arrives = false
			return all, failed
		case failed == nil:
			all = append(all, data...)
		}
	}
}

// take reads a property whole and removes it.
func (e *Exchange) take(property xproto.Atom) (kind xproto.Atom, data []byte, err error) {
	reply, err := xproto.GetProperty(e.conn, true, e.window, property, xproto.GetPropertyTypeAny, 0, clipboard.MaxTransfer/4).Reply()
	if err != nil {
		return 0, nil, err
	}
	if reply.BytesAfter > 0 { // it is removed only when all was read
		xproto.DeleteProperty(e.conn, e.window, property)
		return reply.Type, nil, clipboard.ErrTooMuch
	}
	return reply.Type, reply.Value, nil
}

// within is next for an event that must come in a time.
func (e *Exchange) within(ctx context.Context, limit time.Duration) (xgb.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return e.next(ctx)
}

func (e *Exchange) next(ctx context.Context) (xgb.Event, error) {
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

// Arriving tells whether what was read last is still on its way.
func (e *Exchange) Arriving() bool { return e.arrives }

package x11

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/jezek/xgb/xproto"
)

// Owners of selections such as xclip serve one after the other, and end, or
// serve nobody any more, when who asked goes away before everything was taken;
// what the user copied is lost with them. So whoever has asked takes the answer
// to its end, though it is of no use any more, and the window that it goes to
// outlives this process where even that takes too long.
const (
	answerTime = 150 * time.Millisecond // an owner that has not begun to answer by then hangs
	stallTime  = 500 * time.Millisecond // one that sends the next piece that late does, too
	leaveTime  = 5 * time.Second        // what closing the desktop may take in all
	lingerTime = 5 * time.Second        // how long a process that goes on waits for the next piece
	drainTime  = 2 * time.Minute        // and for all of them
)

// Transfers counts the exchanges that must not be cut off.
type Transfers struct {
	mu    sync.Mutex
	open  int
	steps int            // counts the pieces that were taken
	ended chan struct{}  // closed when the last one ends; nil: nobody waits
	owing map[uint32]int // for an owner how many have asked it, are gone, and have no answer yet
	fewer chan struct{}  // closed when one of them has ended; nil: nobody waits
}

// mostOwed is how many answers an owner may owe to those who are gone before it is asked again: one that is busy would have more and more to
// answer, to windows that are not kept for ever.
const mostOwed = 4

// turn waits until an owner may be asked.
func (t *Transfers) turn(ctx context.Context, owner uint32) error {
	for {
		t.mu.Lock()
		if t.owing[owner] < mostOwed {
			t.mu.Unlock()
			return nil
		}
		if t.fewer == nil {
			t.fewer = make(chan struct{})
		}
		fewer := t.fewer
		t.mu.Unlock()
		select {
		case <-fewer:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// owe notes that an owner has one answer more to give, or less.
func (t *Transfers) owe(owner uint32, more int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owing == nil {
		t.owing = map[uint32]int{}
	}
	if t.owing[owner] += more; t.owing[owner] == 0 {
		delete(t.owing, owner)
	}
	if more < 0 && t.fewer != nil {
		close(t.fewer)
		t.fewer = nil
	}
}

func (t *Transfers) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open++
}

func (t *Transfers) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	if t.open == 0 && t.ended != nil {
		close(t.ended)
		t.ended = nil
	}
}

func (t *Transfers) step() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps++
}

func (t *Transfers) taken() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.steps
}

// Wait waits for all as long as closing a desktop may take.
func (t *Transfers) Wait() { t.wait(stallTime, leaveTime) }

// wait returns when none is left, when nothing has come for a while, or when
// all this takes too long.
func (t *Transfers) wait(stall, limit time.Duration) {
	t.mu.Lock()
	if t.open == 0 {
		t.mu.Unlock()
		return
	}
	if t.ended == nil {
		t.ended = make(chan struct{})
	}
	ended, seen := t.ended, t.steps
	t.mu.Unlock()
	over := time.After(limit)
	for {
		select {
		case <-ended:
			return
		case <-over:
			return
		case <-time.After(stall):
			now := t.taken()
			if now == seen {
				return
			}
			seen = now
		}
	}
}

// Close ends the connection, at once where nothing is on its way.
func (e *Exchange) Close() {
	if !e.owed && !e.arrives {
		e.end()
		e.transfers.end()
		return
	}
	e.keepWindow()
	hangs := e.owed && time.Since(e.asked) > answerTime
	if hangs {
		e.transfers.end() // nobody waits for it; should it answer, the window is there
	}
	e.transfers.owe(e.owner, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainTime)
		defer cancel()
		e.drain(ctx)
		e.end()
		e.transfers.owe(e.owner, -1)
		if !hangs {
			e.transfers.end()
		}
	}()
}

// end closes the connection. The window goes with it, unless somebody may still
// send to it.
func (e *Exchange) end() {
	if e.retained && !e.owed && !e.arrives {
		xproto.SetCloseDownMode(e.conn, xproto.CloseDownDestroyAll)
	}
	close(e.done)
	e.conn.Close()
}

// retain makes the server keep the window when this process ends, however it
// does.
func (e *Exchange) retain() {
	if !e.retained {
		xproto.SetCloseDownMode(e.conn, xproto.CloseDownRetainTemporary)
		e.retained = true
	}
}

// keepWindow notes that the window may outlive this process. There are a few
// such at most: the next ones replace the oldest, whose owners have
// answered by then or never will. The server gives numbers of windows that are gone to
// new ones, so that each stands in the list once, where it came last.
func (e *Exchange) keepWindow() {
	const keptWindows, property = 32, "PERTAIN_KEPT"
	atom, err := e.atom(property)
	if err == nil { // so that nobody takes another program's window for it
		err = xproto.ChangePropertyChecked(e.conn, xproto.PropModeReplace, e.window, atom, xproto.AtomCardinal, 32, 1, make([]byte, 4)).Check()
	}
	if err != nil {
		return
	}
	known, err := e.properties(e.root, property)
	if err != nil {
		return
	}
	list, replaced := kept(known[property], uint32(e.window), keptWindows)
	for _, old := range replaced {
		if p, err := e.properties(xproto.Window(old), property); err == nil && p[property] != nil {
			xproto.KillClient(e.conn, old)
		}
	}
	xproto.ChangeProperty(e.conn, xproto.PropModeReplace, e.root, atom, xproto.AtomWindow, 32, uint32(len(list)/4), list)
}

// kept is a list of windows with another one at its end, and which are no longer in it.
func kept(list []byte, window uint32, most int) (now []byte, replaced []uint32) {
	for ; len(list) >= 4; list = list[4:] {
		if old := firstWord(list); old != window {
			now = binary.LittleEndian.AppendUint32(now, old)
		}
	}
	for len(now) >= 4*most {
		replaced = append(replaced, firstWord(now))
		now = now[4:]
	}
	return binary.LittleEndian.AppendUint32(now, window), replaced
}

// drain takes what is on its way to its end, without looking at it, as long as
// the owner goes on.
func (e *Exchange) drain(ctx context.Context) {
	property, err := e.atom(incoming)
	if err != nil {
		return
	}
	long, err := e.atom("INCR")
	if err != nil {
		return
	}
	for e.owed || e.arrives {
		event, err := e.within(ctx, lingerTime)
		if err != nil {
			return
		}
		switch event := event.(type) {
		case xproto.SelectionNotifyEvent:
			if !e.owed {
				continue
			}
			e.owed = false
			if event.Property == 0 {
				return
			}
			kind, _, err := e.discard(property)
			if err != nil {
				return
			}
			e.arrives = kind == long
		case xproto.PropertyNotifyEvent:
			if e.owed || event.Atom != property || event.State != xproto.PropertyNewValue {
				continue
			}
			_, size, err := e.discard(property)
			if err != nil {
				return
			}
			e.arrives = size > 0
		}
		e.transfers.step()
	}
}

// discard removes a property without reading it.
func (e *Exchange) discard(property xproto.Atom) (kind xproto.Atom, size uint32, err error) {
	reply, err := xproto.GetProperty(e.conn, false, e.window, property, xproto.GetPropertyTypeAny, 0, 0).Reply()
	if err != nil {
		return 0, 0, err
	}
	xproto.DeleteProperty(e.conn, e.window, property)
	return reply.Type, reply.BytesAfter, nil
}

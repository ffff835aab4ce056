// Package wayland reads the clipboard and the primary selection of a Wayland
// compositor that lets programs without a window do so.
//
//	socket → wire (the protocol) → globals → data-control → Control.Targets, Read → clipboard
//
// Use [Open] first. A compositor tells no program which window is in front: that
// is asked over the accessibility bus, in package atspi.
package wayland

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"time"
)

// wire speaks the little of the Wayland protocol that reading selections takes:
// requests and events are an object, a number and arguments in 32-bit words.
type wire struct {
	conn *net.UnixConn
	last uint32 // the highest object id in use
	rest []byte // received and not yet read
}

// Objects and requests of the core protocol.
const (
	wlDisplay            = 1
	wlDisplaySync        = 0
	wlDisplayGetRegistry = 1
	wlRegistryBind       = 0
)

// event is one message from the compositor.
type event struct {
	object uint32
	opcode uint16
	body   []byte
}

func dial(ctx context.Context, socket string) (*wire, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		_ = conn.Close()
		return nil, errors.New("not a Unix socket")
	}
	if deadline, ok := ctx.Deadline(); ok {
		if err := unix.SetDeadline(deadline); err != nil {
			_ = unix.Close()
			return nil, err
		}
	}
	return &wire{conn: unix, last: wlDisplay}, nil
}

// object takes the next id for an object that the next request creates.
func (w *wire) object() uint32 {
	w.last++
	return w.last
}

// send writes a request; oob carries a file descriptor or is nil.
func (w *wire) send(object uint32, opcode uint16, body, oob []byte) error {
	message := make([]byte, 8, 8+len(body))
	binary.NativeEndian.PutUint32(message, object)
	binary.NativeEndian.PutUint32(message[4:], uint32(8+len(body))<<16|uint32(opcode))
	_, _, err := w.conn.WriteMsgUnix(append(message, body...), oob, nil)
	return err
}

// next reads an event.
func (w *wire) next() (event, error) {
	for {
		if len(w.rest) >= 8 {
			head := binary.NativeEndian.Uint32(w.rest[4:])
			size := int(head >> 16)
			if size < 8 {
				return event{}, errors.New("the compositor sent a broken message")
			}
			if len(w.rest) >= size {
				e := event{binary.NativeEndian.Uint32(w.rest), uint16(head), w.rest[8:size:size]}
				w.rest = w.rest[size:]
				if e.object == wlDisplay && e.opcode == 0 {
					return event{}, errors.New("the compositor refused a request")
				}
				return e, nil
			}
		}
		buffer := make([]byte, 16<<10)
		n, err := w.conn.Read(buffer)
		if err != nil {
			return event{}, err
		}
		w.rest = append(w.rest, buffer[:n]...)
	}
}

// roundTrip passes events on until everything that was asked before is
// answered.
func (w *wire) roundTrip(handle func(event)) error {
	done := w.object()
	if err := w.send(wlDisplay, wlDisplaySync, words(done), nil); err != nil {
		return err
	}
	for {
		e, err := w.next()
		if err != nil {
			return err
		}
		if e.object == done {
			return nil
		}
		handle(e)
	}
}

// words are numbers as arguments.
func words(numbers ...uint32) []byte {
	var b []byte
	for _, n := range numbers {
		b = binary.NativeEndian.AppendUint32(b, n)
	}
	return b
}

// wireText is a text as an argument: its length with the closing zero, padded.
func wireText(s string) []byte {
	b := append(words(uint32(len(s)+1)), s...)
	return append(b, make([]byte, 4-len(s)%4)...)
}

// word reads a number off the front.
func (e *event) word() uint32 {
	if len(e.body) < 4 {
		e.body = nil
		return 0
	}
	n := binary.NativeEndian.Uint32(e.body)
	e.body = e.body[4:]
	return n
}

// text reads a text off the front.
func (e *event) text() string {
	n := int(e.word())
	padded := (n + 3) &^ 3
	if n == 0 || padded > len(e.body) {
		e.body = nil
		return ""
	}
	s := strings.TrimRight(string(e.body[:n]), "\x00")
	e.body = e.body[padded:]
	return s
}

// global is something that the compositor offers.
type global struct{ name, version uint32 }

// globals lists what the compositor offers.
func (w *wire) globals() (registry uint32, all map[string]global, err error) {
	registry = w.object()
	if err := w.send(wlDisplay, wlDisplayGetRegistry, words(registry), nil); err != nil {
		return 0, nil, err
	}
	all = map[string]global{}
	err = w.roundTrip(func(e event) {
		if e.object == registry && e.opcode == 0 {
			name := e.word()
			what := e.text()
			if _, known := all[what]; !known {
				all[what] = global{name, e.word()}
			}
		}
	})
	return registry, all, err
}

// bind makes an object of a global.
func (w *wire) bind(registry uint32, g global, what string, version uint32) (uint32, error) {
	id := w.object()
	body := append(words(g.name), wireText(what)...)
	return id, w.send(registry, wlRegistryBind, append(body, words(min(version, g.version), id)...), nil)
}

// pipeDeadline makes reading a pipe end with ctx.
func pipeDeadline(ctx context.Context, set func(time.Time) error) error {
	if deadline, ok := ctx.Deadline(); ok {
		return set(deadline)
	}
	return nil
}

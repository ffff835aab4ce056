// Package x11 reads an X server of this machine: which window is in front, what
// windows say of themselves, and the selections that programs own.
//
//	Dial → Conn.ActiveWindow → Conn.Window → Window
//	Open → Exchange.Targets, Read → clipboard
//	Open → Exchange.Watch, Follow → news
//
// Use [Dial] first. A display of another machine is never dialled. An owner of a
// selection that is asked and then left alone may lose what the user has copied,
// so that transfers are taken to their end; see transfer_linux.go.
package x11

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Conn is a connection to the X server of this machine.
type Conn struct {
	conn *xgb.Conn
	root xproto.Window
	mask uint32 // the bits of an id that a client chooses; the others tell the client

	mu    sync.Mutex
	atoms map[string]xproto.Atom
}

// IsLocal tells whether a display is on this machine. One that is reached
// over the network, as with ssh -X, is another machine's desktop.
func IsLocal(display string) bool {
	host, _, ok := strings.Cut(display, ":")
	return ok && (host == "" || host == "unix" || strings.HasPrefix(display, "/"))
}

// isWell tells whether a display of this machine is written as `:0`, `:0.1`, `unix:0` or with the path of a socket in front. The library takes others
// apart without a look, and panics at some.
func isWell(display string) bool {
	end := strings.LastIndexByte(display, ':')
	if end < 0 {
		return false
	}
	number, screen, screens := strings.Cut(display[end+1:], ".")
	socket := display[:end]
	return (socket == "" || socket == "unix" || socket[0] == '/') && isNumber(number) && (!screens || isNumber(screen))
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}

// Dial connects to a display of this machine.
func Dial(display string) (*Conn, error) {
	switch {
	case !IsLocal(display):
		return nil, errors.New("the display is not on this machine")
	case !isWell(display):
		return nil, fmt.Errorf("%q names no display", display)
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
	return &Conn{conn: conn, root: setup.DefaultScreen(conn).Root, mask: setup.ResourceIdMask, atoms: map[string]xproto.Atom{}}, nil
}

// Unreachable says what to do about an X server that cannot be dialled. The
// library tells a refusal by words alone.
func Unreachable(err error) error {
	failed := facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "the X server cannot be reached", Remedy: "set DISPLAY to that of a desktop that runs", Err: err}
	switch text := err.Error(); {
	case errors.Is(err, ErrStuck):
		failed.Code, failed.Reason, failed.Remedy = diag.ExtraProviderTimeout, "the X server does not answer", "wait until it reacts again"
	case strings.Contains(text, "authentication refused"), strings.Contains(text, "permission denied"):
		failed.Code, failed.Reason = diag.ExtraPermissionUnavailable, "the X server refuses to be read"
		failed.Remedy = "start Pertain as the user of the desktop, with XAUTHORITY as it is set there"
	}
	return &failed
}

// dialWithin is Dial for a server that may hang, where the dialling goes on
// alone.
func dialWithin(ctx context.Context, display string) (*Conn, error) {
	type result struct {
		x   *Conn
		err error
	}
	done := make(chan result)
	go func() {
		x, err := Dial(display)
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
		return nil, ErrStuck
	}
}

// atom finds the number of a name, asking the server once.
func (x *Conn) atom(name string) (xproto.Atom, error) {
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
func (x *Conn) prepare(names ...string) error {
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
func (x *Conn) properties(w xproto.Window, names ...string) (map[string][]byte, error) {
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

// SameClient tells whether two ids were made by one client of the server.
func (x *Conn) SameClient(a, b uint32) bool { return a&^x.mask == b&^x.mask }

// Close ends the connection.
func (x *Conn) Close() { x.conn.Close() }

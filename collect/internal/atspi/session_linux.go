package atspi

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Session is the user's session bus, which knows where the accessibility bus is.
// That one is dialled when it is first needed, and kept.
type Session struct {
	address func() string // of the session bus; "": there is none

	// dialing holds one value while somebody connects to the accessibility bus,
	// which may hang; a channel, so that who waits can be cancelled.
	dialing chan struct{}

	mu  sync.Mutex
	bus *Bus // nil: not dialled yet
}

// NewSession dials nothing yet. address is asked each time.
func NewSession(address func() string) *Session {
	return &Session{address: address, dialing: make(chan struct{}, 1)}
}

// Close ends the connection; dial makes another.
func (d *Session) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bus != nil {
		d.bus.close()
		d.bus = nil
	}
}

// Dial is the connection to the bus; it is opened again when the bus
// was restarted.
func (d *Session) Dial(ctx context.Context) (*Bus, error) {
	if a := d.connected(); a != nil {
		return a, nil
	}
	select {
	case d.dialing <- struct{}{}:
		defer func() { <-d.dialing }()
	case <-ctx.Done():
		return nil, busLate(ctx.Err())
	}
	if a := d.connected(); a != nil {
		return a, nil // somebody else was quicker
	}
	address, err := d.accessibilityAddress(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := DialBus(ctx, address)
	if ctx.Err() != nil {
		return nil, busLate(ctx.Err())
	}
	if err != nil {
		return nil, &facts.CollectError{
			Code: diag.ExtraProviderUnavailable, Reason: "the accessibility bus cannot be reached", Remedy: "install at-spi2-core and log in again", Err: err,
		}
	}
	a := &Bus{conn: conn, toolkits: map[string]Toolkit{}, slow: map[string]bool{}, flush: make(chan chan struct{})}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bus = a
	return a, nil
}

// connected is the connection to the bus, if there is one.
func (d *Session) connected() *Bus {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bus != nil && d.bus.conn.Connected() {
		return d.bus
	}
	return nil
}

// accessibilityAddress asks the session where its accessibility bus is; the
// asking starts one where there is none.
func (d *Session) accessibilityAddress(ctx context.Context) (string, error) {
	address := d.address()
	if address == "" {
		return "", facts.Unavailable("there is no session bus", "start Pertain inside the desktop session, where DBUS_SESSION_BUS_ADDRESS is set")
	}
	session, err := DialBus(ctx, address)
	if ctx.Err() != nil {
		return "", busLate(ctx.Err())
	}
	if err != nil {
		return "", busRefused(err)
	}
	defer func() { _ = session.Close() }()
	err = session.Object("org.a11y.Bus", "/org/a11y/bus").CallWithContext(ctx, "org.a11y.Bus.GetAddress", 0).Store(&address)
	if ctx.Err() != nil {
		return "", busLate(ctx.Err())
	}
	if err != nil {
		return "", &facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "there is no accessibility bus", Remedy: "install at-spi2-core and log in again", Err: err}
	}
	return address, nil
}

// Enabled tells whether programs show themselves on the accessibility bus;
// false: they do not, or it is not known.
func (d *Session) Enabled(ctx context.Context) bool {
	session, err := DialBus(ctx, d.address())
	if err != nil {
		return false
	}
	defer func() { _ = session.Close() }()
	var answer dbus.Variant
	err = session.Object("org.a11y.Bus", "/org/a11y/bus").CallWithContext(ctx, GetProperty, dbus.FlagNoAutoStart, "org.a11y.Status", "IsEnabled").Store(&answer)
	on, _ := answer.Value().(bool)
	return err == nil && on
}

// busLate is the answer when the session's buses hang.
func busLate(err error) error {
	return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the accessibility bus did not answer in time", Remedy: "try again; if it stays so, log in again", Err: err}
}

// busRefused is the answer when the session bus cannot be dialled. Only its
// user may use it.
func busRefused(err error) error {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "authentication failed") {
		return &facts.CollectError{Code: diag.ExtraPermissionUnavailable, Reason: "the session bus refuses this user", Remedy: "start Pertain as the user of the desktop", Err: err}
	}
	return &facts.CollectError{
		Code: diag.ExtraProviderUnavailable, Reason: "the session bus cannot be reached",
		Remedy: "start Pertain inside the desktop session, or set DBUS_SESSION_BUS_ADDRESS as it is there", Err: err,
	}
}

// DialBus connects to a bus of this machine. The library's dialling knows no
// context, so it goes on alone when that ends.
func DialBus(ctx context.Context, address string) (*dbus.Conn, error) {
	var local []string
	for one := range strings.SplitSeq(address, ";") {
		if strings.HasPrefix(one, "unix:") {
			local = append(local, one)
		}
	}
	if local == nil {
		return nil, errors.New("the bus is not on this machine")
	}
	type result struct {
		conn *dbus.Conn
		err  error
	}
	done := make(chan result, 1)
	go func() {
		conn, err := dbus.Connect(strings.Join(local, ";"))
		done <- result{conn, err}
		if err == nil && ctx.Err() != nil {
			select {
			case <-done: // nobody took it
				_ = conn.Close()
			default:
			}
		}
	}()
	select {
	case r := <-done:
		return r.conn, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

package collect

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// node is an object on the accessibility bus: an application, a window or an
// element of one. The fields are exported for the D-Bus library alone.
type node struct {
	Name string // of the application on the bus
	Path dbus.ObjectPath
}

// none is what applications give for an object that is not there.
func (n node) none() bool { return n.Name == "" || strings.HasSuffix(string(n.Path), "/null") }

// Interfaces and well-known objects of AT-SPI.
const (
	atspi       = "org.a11y.atspi."
	atspiRoot   = dbus.ObjectPath("/org/a11y/atspi/accessible/root")
	busDaemon   = "org.freedesktop.DBus"
	getProperty = "org.freedesktop.DBus.Properties.Get"
)

var registry = node{atspi + "Registry", atspiRoot}

// accessibility is a connection to the accessibility bus, over which every
// application answers for its own windows.
type accessibility struct {
	conn *dbus.Conn

	mu       sync.Mutex
	toolkits map[string]toolkit // by the application's name on the bus

	registered bool // whether somebody was said to listen

	flush chan chan struct{} // asks the listener to take all events that have come, and then to close what was sent
}

func (a *accessibility) close() { _ = a.conn.Close() }

// accessibility is the connection to the bus; it is opened again when the bus
// was restarted.
func (d *desktop) accessibility(ctx context.Context) (*accessibility, error) {
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
	conn, err := dialBus(ctx, address)
	if ctx.Err() != nil {
		return nil, busLate(ctx.Err())
	}
	if err != nil {
		return nil, &facts.CollectError{
			Code: diag.ExtraProviderUnavailable, Reason: "the accessibility bus cannot be reached", Remedy: "install at-spi2-core and log in again", Err: err,
		}
	}
	a := &accessibility{conn: conn, toolkits: map[string]toolkit{}, flush: make(chan chan struct{})}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.a11y = a
	return a, nil
}

// connected is the connection to the bus, if there is one.
func (d *desktop) connected() *accessibility {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.a11y != nil && d.a11y.conn.Connected() {
		return d.a11y
	}
	return nil
}

// accessibilityAddress asks the session where its accessibility bus is; the
// asking starts one where there is none.
func (d *desktop) accessibilityAddress(ctx context.Context) (string, error) {
	address := d.sessionAddress()
	if address == "" {
		return "", facts.Unavailable("there is no session bus", "start Pertain inside the desktop session, where DBUS_SESSION_BUS_ADDRESS is set")
	}
	session, err := dialBus(ctx, address)
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

// sessionAddress is that of the session bus, or "". No bus is started.
func (d *desktop) sessionAddress() string {
	if address := d.options.Env("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address
	}
	if dir := d.runtimeDir(); dir != "" {
		socket := filepath.Join(dir, "bus")
		if _, err := os.Stat(socket); err == nil {
			return "unix:path=" + socket
		}
	}
	return ""
}

// dialBus connects to a bus of this machine. The library's dialling knows no
// context, so it is left behind when that ends.
func dialBus(ctx context.Context, address string) (*dbus.Conn, error) {
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

// start sends a call and does not wait: applications answer a row of calls
// several times faster than one after the other.
func (a *accessibility) start(ctx context.Context, n node, method string, args ...any) *dbus.Call {
	return a.conn.Object(n.Name, n.Path).GoWithContext(ctx, method, 0, make(chan *dbus.Call, 1), args...)
}

// property begins to read one property. Never all at once: GetAll makes Qt 5
// applications crash.
func (a *accessibility) property(ctx context.Context, n node, in, name string) *dbus.Call {
	return a.start(ctx, n, getProperty, atspi+in, name)
}

// result waits for a call and reads its answer.
func result[T any](call *dbus.Call) (T, error) {
	var out T
	<-call.Done
	if call.Err != nil {
		return out, call.Err
	}
	err := dbus.Store(call.Body, &out)
	return out, err
}

// variant waits for a property.
func variant[T any](call *dbus.Call) (T, error) {
	v, err := result[dbus.Variant](call)
	if err != nil {
		var zero T
		return zero, err
	}
	out, ok := v.Value().(T)
	if !ok {
		return out, errors.New("the property has another type")
	}
	return out, nil
}

// text waits for a text and leaves out what is not valid.
func text(s string, err error) string {
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(s, "")
}

func (a *accessibility) children(ctx context.Context, n node) ([]node, error) {
	return result[[]node](a.start(ctx, n, atspi+"Accessible.GetChildren"))
}

// states of an element, as a set of 64 bits.
type states uint64

func (s states) has(bit uint) bool { return s&(1<<bit) != 0 }

// Bits of states (AtspiStateType).
const (
	stateActive             = 1
	stateEditable           = 7
	stateFocused            = 12
	stateMultiLine          = 17
	stateSelected           = 23
	stateSensitive          = 24
	stateShowing            = 25
	stateManagesDescendants = 31
	stateReadOnly           = 43
)

func statesOf(call *dbus.Call) (states, error) {
	words, err := result[[]uint32](call)
	if err != nil || len(words) == 0 {
		return 0, err
	}
	s := states(words[0])
	if len(words) > 1 {
		s |= states(words[1]) << 32
	}
	return s, nil
}

func (a *accessibility) states(ctx context.Context, n node) *dbus.Call {
	return a.start(ctx, n, atspi+"Accessible.GetState")
}

func (a *accessibility) role(ctx context.Context, n node) *dbus.Call {
	return a.start(ctx, n, atspi+"Accessible.GetRole")
}

func (a *accessibility) name(ctx context.Context, n node) *dbus.Call {
	return a.property(ctx, n, "Accessible", "Name")
}

// interfaces begins to read which groups of calls an element answers. GTK
// complains in its log about calls of any other.
func (a *accessibility) interfaces(ctx context.Context, n node) *dbus.Call {
	return a.start(ctx, n, atspi+"Accessible.GetInterfaces")
}

// hasText tells whether an element's interfaces are those of a text.
func hasText(call *dbus.Call) bool {
	names, err := result[[]string](call)
	return err == nil && slices.Contains(names, atspi+"Text")
}

// match asks the application for elements below one, in document order, with
// all of the states and one of the roles; empty ones do not count. GTK 2 and 3, Chromium and Firefox know this call.
func (a *accessibility) match(ctx context.Context, below node, want states, roles []uint32, count int) ([]node, error) {
	return result[[]node](a.startMatch(ctx, below, want, roles, count))
}

// startMatch begins to match.
func (a *accessibility) startMatch(ctx context.Context, below node, want states, roles []uint32, count int) *dbus.Call {
	bits := make([]int32, 4)
	for _, r := range roles {
		bits[r/32] |= int32(uint32(1) << (r % 32))
	}
	roleMatch := int32(1)
	if len(roles) > 0 {
		roleMatch = 2
	}
	rule := struct {
		States     []int32
		StateMatch int32
		Attributes map[string]string
		AttrMatch  int32
		Roles      []int32
		RoleMatch  int32
		Interfaces []string
		IfaceMatch int32
		Invert     bool
	}{[]int32{int32(uint32(want)), int32(uint32(want >> 32))}, 1, map[string]string{}, 1, bits, roleMatch, []string{}, 1, false}
	return a.start(ctx, below, atspi+"Collection.GetMatches", rule, uint32(1), int32(count), true)
}

// toolkit is what an application's windows are made with. Each answers some
// calls and not others.
type toolkit struct {
	name    string // gtk, GAIL, Qt, Chromium, Gecko, …
	version string
}

func (t toolkit) gtk4() bool {
	return strings.EqualFold(t.name, "gtk") && strings.HasPrefix(t.version, "4")
}

// matches tells whether the toolkit knows GetMatches.
func (t toolkit) matches() bool { return t.name != "Qt" && !t.gtk4() }

func (a *accessibility) toolkit(ctx context.Context, app string) (toolkit, error) {
	a.mu.Lock()
	known, ok := a.toolkits[app]
	a.mu.Unlock()
	if ok {
		return known, nil
	}
	root := node{app, atspiRoot}
	name, version := a.property(ctx, root, "Application", "ToolkitName"), a.property(ctx, root, "Application", "Version")
	var t toolkit
	var err, badVersion error
	t.name, err = variant[string](name)
	t.version, badVersion = variant[string](version)
	if err = cmp.Or(err, badVersion); err != nil {
		return t, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.toolkits[app] = t
	return t, nil
}

// result2 waits for a call that answers with two numbers.
func result2(call *dbus.Call) ([2]int32, error) {
	var out [2]int32
	<-call.Done
	if call.Err != nil {
		return out, call.Err
	}
	err := dbus.Store(call.Body, &out[0], &out[1])
	return out, err
}

// Package atspi reads the windows of a Linux desktop as assistive programs do: over
// the accessibility bus, on which every application answers for its own windows
// (AT-SPI 2).
//
//	Session → Bus → Find, Active → Open → Window ─┬ Tree             visible elements
//	                                              ├ Focus, Selected  selected text
//	                                              └ WebDocument      a browser's page
//	Bus.Listen → what applications tell about changes
//
// Use [Session.Dial] first. Each toolkit answers some calls and not others; what is
// known of them is where the call is made. Which window is in front is told by x11
// where there is an X server. Passwords are never read.
package atspi

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// Node is an object on the accessibility bus: an application, a window or an
// element of one. The fields are exported for the D-Bus library alone.
type Node struct {
	Name string // of the application on the bus
	Path dbus.ObjectPath
}

// None is what applications give for an object that is not there.
func (n Node) None() bool { return n.Name == "" || strings.HasSuffix(string(n.Path), "/null") }

// Interfaces and well-known objects of AT-SPI.
const (
	Prefix      = "org.a11y.atspi."
	rootPath    = dbus.ObjectPath("/org/a11y/atspi/accessible/root")
	busDaemon   = "org.freedesktop.DBus"
	GetProperty = "org.freedesktop.DBus.Properties.Get"
)

var registry = Node{Prefix + "Registry", rootPath}

// Bus is a connection to the accessibility bus, over which every
// application answers for its own windows.
type Bus struct {
	conn *dbus.Conn

	mu       sync.Mutex
	toolkits map[string]Toolkit // by the application's name on the bus
	slow     map[string]bool    // applications whose cache took long; see cacheTime

	flush chan chan struct{} // asks the listener to take all events that have come, and then to close what was sent
}

func (a *Bus) close() { _ = a.conn.Close() }

// Start sends a call and does not wait: applications answer a row of calls
// several times faster than one after the other.
func (a *Bus) Start(ctx context.Context, n Node, method string, args ...any) *dbus.Call {
	return a.conn.Object(n.Name, n.Path).GoWithContext(ctx, method, 0, make(chan *dbus.Call, 1), args...)
}

// Property begins to read one property. Never all at once: GetAll makes Qt 5
// applications crash.
func (a *Bus) Property(ctx context.Context, n Node, in, name string) *dbus.Call {
	return a.Start(ctx, n, GetProperty, Prefix+in, name)
}

// Result waits for a call and reads its answer.
func Result[T any](call *dbus.Call) (T, error) {
	var out T
	<-call.Done
	if call.Err != nil {
		return out, call.Err
	}
	err := dbus.Store(call.Body, &out)
	return out, err
}

// Variant waits for a property.
func Variant[T any](call *dbus.Call) (T, error) {
	v, err := Result[dbus.Variant](call)
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

// ValidText waits for a text and leaves out what is not valid.
func ValidText(s string, err error) string {
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(s, "")
}

// Children are the elements directly in one.
func (a *Bus) Children(ctx context.Context, n Node) ([]Node, error) {
	return Result[[]Node](a.Start(ctx, n, Prefix+"Accessible.GetChildren"))
}

// States of an element, as a set of 64 bits.
type States uint64

// Has tells whether a state is in the set.
func (s States) Has(bit uint) bool { return s&(1<<bit) != 0 }

// Bits of states (AtspiStateType).
const (
	StateActive             = 1
	StateEditable           = 7
	StateFocused            = 12
	StateMultiLine          = 17
	StateSelected           = 23
	StateSensitive          = 24
	StateShowing            = 25
	StateManagesDescendants = 31
	StateReadOnly           = 43
)

// StatesOf waits for the states of an element.
func StatesOf(call *dbus.Call) (States, error) {
	words, err := Result[[]uint32](call)
	if err != nil || len(words) == 0 {
		return 0, err
	}
	s := States(words[0])
	if len(words) > 1 {
		s |= States(words[1]) << 32
	}
	return s, nil
}

// States begins to read the states of an element; see [StatesOf].
func (a *Bus) States(ctx context.Context, n Node) *dbus.Call {
	return a.Start(ctx, n, Prefix+"Accessible.GetState")
}

func (a *Bus) role(ctx context.Context, n Node) *dbus.Call {
	return a.Start(ctx, n, Prefix+"Accessible.GetRole")
}

// Name begins to read the name of an element.
func (a *Bus) Name(ctx context.Context, n Node) *dbus.Call {
	return a.Property(ctx, n, "Accessible", "Name")
}

// Interfaces begins to read which groups of calls an element answers. GTK
// complains in its log about calls of any other.
func (a *Bus) Interfaces(ctx context.Context, n Node) *dbus.Call {
	return a.Start(ctx, n, Prefix+"Accessible.GetInterfaces")
}

// HasText tells whether an element's interfaces are those of a text.
func HasText(call *dbus.Call) bool {
	names, err := Result[[]string](call)
	return err == nil && slices.Contains(names, Prefix+"Text")
}

// match asks the application for elements below one, in document order, with
// all of the states and one of the roles; empty ones do not count. GTK 2 and 3, Chromium and Firefox know this call.
func (a *Bus) match(ctx context.Context, below Node, want States, roles []uint32, count int) ([]Node, error) {
	return Result[[]Node](a.startMatch(ctx, below, want, roles, count))
}

// startMatch begins to match.
func (a *Bus) startMatch(ctx context.Context, below Node, want States, roles []uint32, count int) *dbus.Call {
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
	return a.Start(ctx, below, Prefix+"Collection.GetMatches", rule, uint32(1), int32(count), true)
}

// Toolkit is what an application's windows are made with. Each answers some
// calls and not others.
type Toolkit struct {
	Name    string // gtk, GAIL, Qt, Chromium, Gecko, …
	Version string
}

// IsGTK4 tells whether it is GTK 4, which tells least of all.
func (t Toolkit) IsGTK4() bool {
	return strings.EqualFold(t.Name, "gtk") && strings.HasPrefix(t.Version, "4")
}

// Matches tells whether the toolkit knows GetMatches.
func (t Toolkit) Matches() bool { return t.Name != "Qt" && !t.IsGTK4() }

func (a *Bus) toolkitOf(ctx context.Context, app string) (Toolkit, error) {
	a.mu.Lock()
	known, ok := a.toolkits[app]
	a.mu.Unlock()
	if ok {
		return known, nil
	}
	root := Node{app, rootPath}
	name, version := a.Property(ctx, root, "Application", "ToolkitName"), a.Property(ctx, root, "Application", "Version")
	var t Toolkit
	var err, badVersion error
	t.Name, err = Variant[string](name)
	t.Version, badVersion = Variant[string](version)
	if err = cmp.Or(err, badVersion); err != nil {
		return t, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.toolkits[app] = t
	return t, nil
}

// resultPair waits for a call that answers with two numbers.
func resultPair(call *dbus.Call) ([2]int32, error) {
	var out [2]int32
	<-call.Done
	if call.Err != nil {
		return out, call.Err
	}
	err := dbus.Store(call.Body, &out[0], &out[1])
	return out, err
}

package atspi

import (
	"context"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// watchedEvents are what applications are asked to tell, and how they call it.
// Names are left out: GTK tells those of cells whenever somebody reads them, and
// the reader would never come to rest.
var watchedEvents = []struct{ register, heard string }{
	{"window:activate", "Window.Activate"},
	{"window:deactivate", "Window.Deactivate"},
	{"object:state-changed:focused", "Object.StateChanged:focused"},
	{"object:state-changed:selected", "Object.StateChanged:selected"},
	{"object:state-changed:showing", "Object.StateChanged:showing"},
	{"object:state-changed:sensitive", "Object.StateChanged:sensitive"},
	{"object:state-changed:editable", "Object.StateChanged:editable"},
	{"object:state-changed:read-only", "Object.StateChanged:read-only"},
	{"object:selection-changed", "Object.SelectionChanged"},
	{"object:children-changed", "Object.ChildrenChanged"},
	{"object:text-changed", "Object.TextChanged"},
	{"object:text-selection-changed", "Object.TextSelectionChanged"},
	{"document:load-complete", "Document.LoadComplete"},
}

// watched tells whether an event was asked for: others may have asked for more.
func watched(event string) bool {
	for _, e := range watchedEvents {
		if strings.HasPrefix(event, e.heard) {
			return true
		}
	}
	return false
}

// Listen passes on which element told which event, until the bus has gone. It calls begun
// once it hears everything: what changed before that is news, too.
func (a *Bus) Listen(ctx context.Context, begun func(), heard func(from Node, event string)) {
	signals := make(chan *dbus.Signal, 4096) // a full one would be filled in any order
	a.conn.Signal(signals)
	defer a.conn.RemoveSignal(signals)
	for _, in := range []string{"Window", "Object", "Document"} {
		rule := dbus.WithMatchInterface(Prefix + "Event." + in)
		if a.conn.AddMatchSignalContext(ctx, rule) != nil {
			return
		}
		defer a.conn.RemoveMatchSignal(rule) //nolint:errcheck // the bus has gone, or the process ends
	}
	registrar := Node{registry.Name, "/org/a11y/atspi/registry"}
	for _, event := range watchedEvents {
		<-a.Start(ctx, registrar, Prefix+"Registry.RegisterEvent", event.register, []string{}, "").Done
		defer func() {
			<-a.Start(context.WithoutCancel(ctx), registrar, Prefix+"Registry.DeregisterEvent", event.register).Done
		}()
	}
	begun()
	for {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-signals:
			if !ok {
				return
			}
			pass(s, heard)
		case done := <-a.flush:
			for len(signals) > 0 {
				if s, ok := <-signals; ok {
					pass(s, heard)
				}
			}
			close(done)
		}
	}
}

// pass tells of an event that was asked for.
func pass(s *dbus.Signal, heard func(from Node, event string)) {
	detail := ""
	if len(s.Body) > 0 {
		detail, _ = s.Body[0].(string)
	}
	if event := strings.TrimPrefix(s.Name, Prefix+"Event.") + ":" + detail; watched(event) {
		heard(Node{s.Sender, s.Path}, event)
	}
}

// catchUpTime is how long an application gets at least to say that it has nothing more
// to tell. One that hangs shows what it showed before.
const catchUpTime = 15 * time.Millisecond

// catchUpLimit is how long it gets of the time that is left: half of it, since on a busy
// machine one that is only slow may show something else by now.
func catchUpLimit(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return catchUpTime
	}
	return max(catchUpTime, time.Until(deadline)/2)
}

// CatchUp waits until everything has been heard that an application has told up
// to now: answers and events come in the order in which they were sent.
func (a *Bus) CatchUp(ctx context.Context, top Node) {
	ctx, cancel := context.WithTimeout(ctx, catchUpLimit(ctx))
	defer cancel()
	<-a.role(ctx, top).Done
	done := make(chan struct{})
	select {
	case a.flush <- done:
	case <-ctx.Done():
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

package collect

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/x11"
	"github.com/pertain-dev/pertain/facts"
)

// redialTime is how long the watch waits after the accessibility bus or the X
// server has gone.
const redialTime = time.Second

// watchedEvents are what applications are asked to tell, and how they call it.
// Names are left out: GTK tells those of cells whenever somebody reads them, and
// the reader would never come to rest.
var watchedEvents = []struct{ register, heard string }{
	{"window:activate", "Window.Activate"},
	{"window:deactivate", "Window.Deactivate"},
	{"object:state-changed:focused", "Object.StateChanged:focused"},
	{"object:state-changed:selected", "Object.StateChanged:selected"},
	{"object:state-changed:showing", "Object.StateChanged:showing"},
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

// watch listens to the X server and to the accessibility bus.
func (d *desktop) watch(ctx context.Context, changed func()) error {
	if err := d.absent(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	warm := &warmth{}
	d.warm.Store(warm)
	defer d.warm.Store(nil)
	news := newNews()
	var watchers sync.WaitGroup
	watchers.Go(func() { d.watchBus(ctx, warm, news.tell) })
	if x11.IsLocal(d.options.Env("DISPLAY")) {
		watchers.Go(func() { d.watchX11(ctx, warm, news.tell) })
	}
	news.follow(ctx, func(ctx context.Context) { d.refresh(ctx, warm) }, changed)
	watchers.Wait()
	return nil
}

// refreshTime is how long reading ahead may take. Nobody waits for it, so that
// slow programs such as Nautilus can tell more than in the time of a question.
const refreshTime = 1500 * time.Millisecond

// refresh reads what the window in front shows before it is asked for, if it
// ever was. Who asks later is told what is wrong.
func (d *desktop) refresh(ctx context.Context, warm *warmth) {
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	tree, files := warm.wanted()
	if files {
		_, _ = fileManager{d}.Collect(ctx, nil, facts.Request{})
	}
	if tree {
		_, _ = visual{d, newPlaces()}.Collect(ctx, nil, facts.Request{})
	}
}

// watchBus listens to the applications until ctx ends, and to a new bus when
// the old one has gone.
func (d *desktop) watchBus(ctx context.Context, warm *warmth, tell func()) {
	for ctx.Err() == nil {
		if a, err := d.accessibility(ctx); err == nil {
			begun := func() {
				warm.drop() // what was kept may have changed unheard
				tell()
			}
			a.listen(ctx, begun, func(sender, event string) {
				if warm.hear(sender, event) {
					tell()
				}
			})
			warm.drop()
		}
		if !sleep(ctx, redialTime) {
			return
		}
	}
}

// listen passes on who sent which event, until the bus has gone. It calls begun
// once it hears everything: what changed before that is news, too.
func (a *accessibility) listen(ctx context.Context, begun func(), heard func(sender, event string)) {
	signals := make(chan *dbus.Signal, 4096) // a full one would be filled in any order
	a.conn.Signal(signals)
	defer a.conn.RemoveSignal(signals)
	for _, in := range []string{"Window", "Object", "Document"} {
		rule := dbus.WithMatchInterface(atspi + "Event." + in)
		if a.conn.AddMatchSignalContext(ctx, rule) != nil {
			return
		}
		defer a.conn.RemoveMatchSignal(rule) //nolint:errcheck // the bus has gone, or the process ends
	}
	registrar := node{registry.Name, "/org/a11y/atspi/registry"}
	for _, event := range watchedEvents {
		<-a.start(ctx, registrar, atspi+"Registry.RegisterEvent", event.register, []string{}, "").Done
		defer func() {
			<-a.start(context.WithoutCancel(ctx), registrar, atspi+"Registry.DeregisterEvent", event.register).Done
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
func pass(s *dbus.Signal, heard func(sender, event string)) {
	detail := ""
	if len(s.Body) > 0 {
		detail, _ = s.Body[0].(string)
	}
	if event := strings.TrimPrefix(s.Name, atspi+"Event.") + ":" + detail; watched(event) {
		heard(s.Sender, event)
	}
}

// watchX11 listens for another window in front and for new selections.
func (d *desktop) watchX11(ctx context.Context, warm *warmth, tell func()) {
	for ctx.Err() == nil {
		if e, err := d.exchange(ctx); err == nil {
			if err := e.Watch(); err == nil {
				e.Follow(ctx, func() {
					warm.drop()
					tell()
				}, tell)
			}
			e.Close()
		}
		if !sleep(ctx, redialTime) {
			return
		}
	}
}

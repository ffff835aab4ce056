package collect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/x11"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// redialTime is how long the watch waits after the accessibility bus or the X
// server has gone.
const redialTime = time.Second

// watch listens to the X server and to the accessibility bus.
func (d *desktop) watch(ctx context.Context, changed func()) error {
	if err := d.absent(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	warm := &warmCache{}
	d.warm.Store(warm)
	defer d.warm.Store(nil)
	news := newNews()
	var watchers sync.WaitGroup
	watchers.Go(func() { d.watchBus(ctx, warm, news.tell) })
	if x11.IsLocal(d.options.Env("DISPLAY")) {
		watchers.Go(func() { d.watchX11(ctx, warm, news.tell) })
	}
	news.follow(ctx, func(ctx context.Context) bool { return d.refresh(ctx, warm) }, changed)
	watchers.Wait()
	return nil
}

// refreshTime is how long reading ahead may take at first. Nobody waits for it, so that
// slow programs such as Nautilus can tell more than in the time of a question.
const refreshTime = 1500 * time.Millisecond

// refresh reads what the window in front shows before it is asked for, if it
// ever was, and tells whether the time was enough. Who asks later is told what is wrong.
func (d *desktop) refresh(ctx context.Context, warm *warmCache) bool {
	ctx = atspi.InBackground(ctx)
	tree, files, focus := warm.wanted()
	enough := true
	if w, err := d.inFront(ctx); err == nil {
		d.fronts.note(w) // also one that must not be read: it was in front
	}
	if w, err := d.front(ctx); focus && err == nil {
		_, err := selectionReader{d}.focused(ctx, w)
		enough = !outOfTime(err)
	}
	if files {
		part, err := fileManager{d}.Collect(ctx, nil, facts.Request{})
		enough = enough && !outOfTime(err) && !lacksTime(part)
	}
	if tree {
		part, err := visual{d, atspi.NewTypes()}.Collect(ctx, nil, facts.Request{})
		enough = enough && !outOfTime(err) && (part.Tree == nil || whole(part.Tree))
	}
	return enough
}

// outOfTime tells whether a collector had not enough time.
func outOfTime(err error) bool {
	var why *facts.CollectError
	return errors.As(err, &why) && why.Code == diag.ExtraProviderTimeout
}

// lacksTime tells whether something was left out of an answer for lack of time.
func lacksTime(part facts.Part) bool {
	return slices.ContainsFunc(part.Lacks, func(lack facts.Lack) bool { return lack.Code == diag.ExtraProviderTimeout })
}

// watchBus listens to the applications until ctx ends, and to a new bus when
// the old one has gone.
func (d *desktop) watchBus(ctx context.Context, warm *warmCache, tell func()) {
	for ctx.Err() == nil {
		if a, err := d.session.Dial(ctx); err == nil {
			begun := func() {
				warm.drop() // what was kept may have changed unheard
				tell()
			}
			a.Listen(ctx, begun, func(from atspi.Node, event string) {
				if warm.hear(from, event) {
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

// watchX11 listens for another window in front and for new selections.
func (d *desktop) watchX11(ctx context.Context, warm *warmCache, tell func()) {
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

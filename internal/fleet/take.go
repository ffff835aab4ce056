package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/revision"
)

// Take asks for the revision in force and keeps it on this machine. changed: it is another than before. What cannot be trusted is not taken, and what
// the machine has stays. That the fleet answered is noted in the store, with why its answer was not taken.
func (b *Book) Take(ctx context.Context, store revision.Store) (taken *Sealed, changed bool, err error) {
	kv, err := b.bucket(ctx)
	if err == nil {
		taken, err = b.inForce(ctx, kv)
	}
	if err == nil {
		changed, err = b.keep(ctx, kv, store, taken)
	}
	b.note(ctx, store, changed, err)
	return taken, changed, err
}

// takeShown takes what the watch showed, which saves a question, and no node that is behind can hide it. It may be old already: then the fleet is asked.
func (b *Book) takeShown(ctx context.Context, kv jetstream.KeyValue, shown jetstream.KeyValueEntry, store revision.Store) (taken *Sealed, changed bool, err error) {
	sum, err := parseHead(shown.Value())
	if err == nil {
		taken, err = b.sealed(ctx, kv, sum)
	}
	if err == nil {
		changed, err = b.keep(ctx, kv, store, taken)
	}
	var old *revision.OldError
	if errors.As(err, &old) {
		return b.Take(ctx, store)
	}
	b.note(ctx, store, changed, err)
	return taken, changed, err
}

// keep puts a revision in force on this machine. Files that its copy has are not fetched.
func (b *Book) keep(ctx context.Context, kv jetstream.KeyValue, store revision.Store, s *Sealed) (changed bool, err error) {
	same, err := store.Wants(b.trust, s.Checked)
	if err != nil {
		return false, err
	}
	var have map[string]bool
	if same {
		if _, err := store.Open(ctx, files.OS(), b.trust); err == nil {
			return false, nil
		}
	} else {
		have = store.Listed(b.trust)
	}
	for {
		contents, err := b.contents(ctx, kv, s, func(sum string) bool { return !have[sum] })
		if err != nil {
			return false, err
		}
		err = store.Keep(ctx, b.trust, s.Sealed, contents, time.Now())
		if errors.Is(err, revision.ErrLacking) && have != nil {
			have = nil // the copy is not what its list says
			continue
		}
		return err == nil, err
	}
}

func (b *Book) note(ctx context.Context, store revision.Store, changed bool, err error) {
	refused := ""
	switch {
	case changed:
		return // when a revision was taken says as much
	case err == nil, errors.Is(err, ErrEmpty):
	case b.unreached(err):
		return
	default:
		refused = err.Error()
	}
	_ = store.NoteChecked(ctx, time.Now(), refused) // it is for people who wonder; the next answer notes it again
}

// unreached tells whether the servers did not answer at all.
func (b *Book) unreached(err error) bool { return IsAway(err) || !b.fleet.Connected() }

// Waits of Follow.
const (
	firstRetry = time.Second
	mostRetry  = 30 * time.Second
	askAgain   = time.Minute // a watch may be lost without a word
)

var errLost = errors.New("the connection was lost")

// Event is what happened while a fleet was followed. With nothing in it, the fleet answers again, and shows what the machine has.
type Event struct {
	Taken   *Sealed // a revision that this machine holds now; nil: none
	Refused error   // why what the fleet shows is not taken
	Away    error   // the fleet cannot be reached, for this reason; what the machine has stays in force
}

// Follow takes every revision as soon as it is in force, until ctx ends. tell is called from one goroutine, once for each thing that it was not told just before.
func (b *Book) Follow(ctx context.Context, store revision.Store, tell func(Event)) {
	away, refused := false, ""
	once := func(e Event) {
		var news bool
		switch {
		case e.Taken != nil:
			news, away, refused = true, false, ""
		case e.Refused != nil:
			news, away, refused = e.Refused.Error() != refused, false, e.Refused.Error()
		case e.Away != nil:
			news, away = !away, true
		default:
			news, away, refused = away || refused != "", false, ""
		}
		if news {
			tell(e)
		}
	}
	pause := firstRetry
	for ctx.Err() == nil {
		began := time.Now()
		err := b.watch(ctx, store, once)
		if ctx.Err() != nil {
			return
		}
		if !errors.Is(err, ErrEmpty) {
			once(Event{Away: err})
		}
		if time.Since(began) > mostRetry {
			pause = firstRetry
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, mostRetry)
	}
}

// watch follows the pointer while the fleet can be reached.
func (b *Book) watch(ctx context.Context, store revision.Store, tell func(Event)) error {
	kv, err := b.bucket(ctx)
	if err != nil {
		return err
	}
	watcher, err := kv.Watch(ctx, headKey)
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }()
	statuses, stop := b.fleet.statuses()
	defer stop()
	again := time.NewTimer(askAgain)
	defer again.Stop()
	for {
		var shown jetstream.KeyValueEntry // nil: it is asked for
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-again.C:
		case status, ok := <-statuses:
			if !ok {
				statuses = nil // the connection was closed; the watch ends as well
				continue
			}
			if status == nats.RECONNECTING {
				tell(Event{Away: errLost})
				continue
			}
		case e, ok := <-watcher.Updates():
			if !ok {
				return errors.New("the watch was ended")
			}
			if e == nil { // everything that was there has been shown
				continue
			}
			shown = e
		}
		err := b.follow(ctx, kv, shown, store, tell)
		next := askAgain
		if err != nil && b.unreached(err) {
			tell(Event{Away: err})
			next = firstRetry
		}
		again.Reset(next)
	}
}

// follow takes what the pointer leads to: as the watch showed it, or, without that, as it is now.
func (b *Book) follow(ctx context.Context, kv jetstream.KeyValue, shown jetstream.KeyValueEntry, store revision.Store, tell func(Event)) error {
	var taken *Sealed
	var changed bool
	var err error
	if shown != nil && shown.Operation() == jetstream.KeyValuePut {
		taken, changed, err = b.takeShown(ctx, kv, shown, store)
	} else {
		taken, changed, err = b.Take(ctx, store)
	}
	switch {
	case errors.Is(err, ErrEmpty):
		return nil
	case err != nil && b.unreached(err):
		return err
	case err != nil:
		tell(Event{Refused: err})
		return nil //nolint:nilerr // it is told, and the watch goes on
	}
	if changed {
		tell(Event{Taken: taken})
	} else {
		tell(Event{})
	}
	return nil
}

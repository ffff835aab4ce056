package fleet

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/revision"
)

// Take asks for the revision in force and keeps it on this machine. changed: it is another than before. What cannot be trusted is not taken, and what
// the machine has stays. That the fleet answered is noted in the store, with why its answer was not taken.
func (b *Book) Take(ctx context.Context, store revision.Store) (taken *Sealed, changed bool, err error) {
	taken, err = b.Head(ctx)
	if err == nil {
		changed, err = b.keep(ctx, store, taken)
	}
	b.note(ctx, store, err)
	return taken, changed, err
}

// keep puts a revision in force on this machine.
func (b *Book) keep(ctx context.Context, store revision.Store, s *Sealed) (changed bool, err error) {
	same, err := store.Wants(b.trust, s.Checked)
	if err != nil {
		return false, err
	}
	tree := files.OS()
	before, err := store.Open(ctx, tree, b.trust)
	switch {
	case same && err == nil:
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		before = nil // what is broken is no source of files
	}
	contents, err := b.Contents(ctx, s, func(f revision.File) []byte { return known(before, f) })
	if err != nil {
		return false, err
	}
	return true, store.Keep(ctx, b.trust, s.Sealed, contents, time.Now())
}

// known is a file that the machine has in the revision before; nil: it has not.
func known(before *revision.Copy, f revision.File) []byte {
	if before == nil {
		return nil
	}
	for _, old := range before.Files {
		if old.Sum == f.Sum {
			data, err := before.File(files.OS(), old)
			if err != nil {
				return nil
			}
			if data == nil {
				data = []byte{}
			}
			return data
		}
	}
	return nil
}

func (b *Book) note(ctx context.Context, store revision.Store, err error) {
	refused := ""
	switch {
	case err == nil, errors.Is(err, ErrEmpty):
	case b.unreached(err):
		return
	default:
		refused = err.Error()
	}
	_ = store.NoteChecked(ctx, time.Now(), refused) // it is for people who wonder; the next answer notes it again
}

// unreached tells whether the servers did not answer at all.
func (b *Book) unreached(err error) bool { return isAway(err) || !b.fleet.Connected() }

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
		}
		err := b.follow(ctx, store, tell)
		next := askAgain
		if err != nil && b.unreached(err) {
			tell(Event{Away: err})
			next = firstRetry
		}
		again.Reset(next)
	}
}

// follow takes what the pointer leads to now: what the watch showed may be old already.
func (b *Book) follow(ctx context.Context, store revision.Store, tell func(Event)) error {
	taken, changed, err := b.Take(ctx, store)
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

package replica

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Patience is how long a value of the shared store is waited for before the copy on this machine decides.
const Patience = 20 * time.Millisecond

// ErrConflict is what Put of a [Bucket] says when the value is no longer the one that it was to replace, ErrLarge when it is larger
// than the store takes.
var (
	ErrConflict = errors.New("the shared value was changed meanwhile")
	ErrLarge    = errors.New("the value is larger than the shared store takes")
)

// errAway is for a store that does not answer in time.
var errAway = errors.New("the shared store does not answer")

// Bucket is a store that many machines share.
type Bucket interface {
	// Get gives a value and its revision, by which Put replaces it; no value is nil, and no error.
	Get(ctx context.Context, key string) (value []byte, revision uint64, err error)
	// Put replaces the value of a revision, 0 for none, and gives the revision of the new one. ErrConflict: it is not the last.
	Put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error)
}

// Local keeps values on the disk of this machine. It is safe for concurrent use, by several processes too.
type Local interface {
	// Load gives a value; a zero State if there is none.
	Load(ctx context.Context, id string) (State, error)
	// Update changes a value, if change says so; nobody else does meanwhile.
	Update(ctx context.Context, id string, change func(*State) (bool, error)) error
	// Changed are the ids of what was written since a time, in their order.
	Changed(since time.Time) ([]string, error)
}

// Options say what [Values] work with. All but Mark, Logger and Patience are required.
type Options struct {
	Local  Local
	Bucket Bucket
	// Kind tells values of one sort from those of others in the bucket.
	Kind string
	// Machine is the name of this one; no other has it.
	Machine string
	// Merge makes one of two values that were changed at the same time. It is the same for every machine; a is the lesser one, by its bytes.
	Merge func(a, b []byte) []byte
	// Mark is a file of the user's own whose time says up to when everything was carried; empty: everything is looked at with each start.
	Mark     string
	Logger   *slog.Logger
	Patience time.Duration // default [Patience]
}

// Values are values that several machines share. It is safe for concurrent use.
type Values struct {
	options Options
	slots   chan struct{} // one for each call of the bucket under way, whoever still waits for it
	away    atomic.Bool   // the store missed its time; whoever carries finds out when it is back
	doubted sync.Once     // to tell once of a value that nobody here sealed
	large   sync.Once     // to tell once of a value that does not fit
	broken  sync.Once     // to tell once of a copy that cannot be read

	mu      sync.Mutex
	missed  map[string]bool // ids of what is to be carried
	all     bool            // more than are noted: everything that was written lately is looked at
	known   map[string]seen // by ids
	waiting chan struct{}   // wakes whoever carries
}

// seen is a shared value as it was seen last.
type seen struct {
	revision uint64
	clock    Clock
}

// maxCalls is how many calls of the bucket may be under way: those that a stuck connection holds are never joined by more.
const maxCalls = 128

// maxMissed is how many ids are noted. Of more, the times of the files tell.
const maxMissed = 4096

// maxKnown is of how many values the revision is noted.
const maxKnown = 16384

// New makes values. It starts nothing.
func New(options Options) *Values {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Patience == 0 {
		options.Patience = Patience
	}
	return &Values{
		options: options, slots: make(chan struct{}, maxCalls),
		missed: map[string]bool{}, all: true, known: map[string]seen{}, waiting: make(chan struct{}, 1),
	}
}

// Load gives a value; nil: there is none.
func (v *Values) Load(ctx context.Context, id string) ([]byte, error) {
	here, err := v.options.Local.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	here = here.now(v.options.Machine)
	s, err := newSeal(v.options.Kind, id)
	if err != nil {
		return nil, err
	}
	soon, cancel := v.soon(ctx)
	defer cancel()
	there, err := v.fetch(soon, id, s)
	if err != nil {
		v.miss("")             // somebody finds out when it is back
		return here.Value, nil //nolint:nilerr // the copy of this machine decides
	}
	both := settle(here, there.State, v.options.Merge)
	if both.there {
		v.miss(id)
	}
	if !both.here {
		return here.Value, nil
	}
	value := both.Value
	err = v.options.Local.Update(ctx, id, func(now *State) (bool, error) {
		both := settle(now.now(v.options.Machine), there.State, v.options.Merge)
		value = both.Value
		if both.here {
			*now = both.State
		}
		return both.here, nil
	})
	return value, err
}

// Update changes a value. change is called again where another machine was first; it must do nothing else.
func (v *Values) Update(ctx context.Context, id string, change func([]byte) ([]byte, error)) error {
	s, err := newSeal(v.options.Kind, id)
	if err != nil {
		return err
	}
	return v.options.Local.Update(ctx, id, func(now *State) (bool, error) {
		soon, cancel := v.soon(ctx)
		defer cancel()
		here := now.now(v.options.Machine)
		base, revision := here, v.revision(id, here.Clock)
		for reached := revision > 0; ; {
			if revision == 0 { // what is there is not known, or no longer
				there, err := v.fetch(soon, id, s)
				if reached = err == nil; reached {
					base, revision = settle(here, there.State, v.options.Merge).State, there.revision
				}
			}
			value, err := change(base.Value)
			if err != nil {
				return false, err
			}
			*now = State{Clock: base.Clock.after(v.options.Machine, 1), Value: value}
			if reached {
				err = v.put(soon, id, s, *now, revision)
			}
			switch {
			case reached && err == nil:
				return true, nil
			case reached && errors.Is(err, ErrConflict):
				base, revision = here, 0
			case reached && errors.Is(err, ErrLarge):
				return true, nil // it stays on this machine alone, and that was told
			default:
				v.miss(id)
				return true, nil
			}
		}
	})
}

func (v *Values) soon(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, v.options.Patience)
}

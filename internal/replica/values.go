package replica

import (
	"context"
	"errors"
	"hash/fnv"
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
	turns   [64]sync.Mutex
	away    atomic.Bool // the store missed its time; whoever carries finds out when it is back
	running atomic.Bool // somebody carries, and writes what the disk has not
	doubted sync.Once   // to tell once of a value that nobody here sealed
	large   sync.Once   // to tell once of a value that does not fit
	broken  sync.Once   // to tell once of a copy that cannot be read

	mu      sync.Mutex
	missed  map[string]bool // ids of what is to be carried
	all     bool            // more than are noted: everything that was written lately is looked at
	kept    map[string]kept // by ids
	size    int             // bytes of what is kept
	behind  map[string]bool // ids of what the disk has not got yet
	waiting chan struct{}   // wakes whoever carries
}

// kept is a value as this process saw it last. The disk need not have it where the shared store does: waiting for the disk takes
// longer than for the store.
type kept struct {
	State
	revision uint64 // of the shared value; 0: it is not known to be the same
}

// maxCalls is how many calls of the bucket may be under way: those that a stuck connection holds are never joined by more.
const maxCalls = 128

// maxMissed is how many ids are noted. Of more, the times of the files tell.
const maxMissed = 4096

// maxKept is how many bytes of values are kept in memory.
const maxKept = 64 << 20

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
		missed: map[string]bool{}, all: true, kept: map[string]kept{}, behind: map[string]bool{}, waiting: make(chan struct{}, 1),
	}
}

// Load gives a value; nil: there is none.
func (v *Values) Load(ctx context.Context, id string) ([]byte, error) {
	s, err := newSeal(v.options.Kind, id)
	if err != nil {
		return nil, err
	}
	here, err := v.here(ctx, id)
	if err != nil {
		return nil, err
	}
	soon, cancel := v.soon(ctx)
	defer cancel()
	there, err := v.fetch(soon, s)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v.miss(id) // who carries has it for the next time: a slow machine may never be in time itself
		disk, err := v.options.Local.Load(ctx, id)
		return settle(disk.now(v.options.Machine), here.State, v.options.Merge).Value, err // another process may have gone on
	}
	both := settle(here.State, there.State, v.options.Merge)
	if both.there {
		v.miss(id)
	} else if there.Value != nil {
		v.keep(id, kept{both.State, there.revision}, both.here)
	}
	return both.Value, nil
}

// Update changes a value. change is called again where another machine was first; it must do nothing else.
func (v *Values) Update(ctx context.Context, id string, change func([]byte) ([]byte, error)) error {
	s, err := newSeal(v.options.Kind, id)
	if err != nil {
		return err
	}
	defer v.turn(id)()
	here, err := v.here(ctx, id)
	if err != nil {
		return err
	}
	soon, cancel := v.soon(ctx)
	defer cancel()
	base, revision := here.State, here.revision
	if v.away.Load() {
		return v.updateHere(ctx, id, here.State, change)
	}
	for {
		if revision == 0 { // what is there is not known, or no longer
			there, err := v.fetch(soon, s)
			if err != nil {
				return v.updateHere(ctx, id, here.State, change)
			}
			base, revision = settle(here.State, there.State, v.options.Merge).State, there.revision
		}
		value, err := change(base.Value)
		if err != nil {
			return err
		}
		next := State{Clock: base.Clock.after(v.options.Machine, 1), Value: value}
		now, err := v.put(soon, s, next, revision)
		switch {
		case err == nil:
			v.keep(id, kept{next, now}, true)
			return nil
		case errors.Is(err, ErrConflict):
			base, revision = here.State, 0
		default:
			return v.updateHere(ctx, id, here.State, change)
		}
	}
}

// updateHere changes a value on this machine alone, for the shared store to be told later. It counts as two changes: the first may have come
// there all the same. Where somebody carries, the disk gets it a moment later: nobody waits for that either.
func (v *Values) updateHere(ctx context.Context, id string, here State, change func([]byte) ([]byte, error)) error {
	later := v.running.Load() && v.mayWait()
	var next State
	alter := func(base State) error {
		value, err := change(base.Value)
		next = State{Clock: base.Clock.after(v.options.Machine, 2), Value: value}
		return err
	}
	var err error
	if later {
		err = alter(here)
	} else {
		err = v.options.Local.Update(ctx, id, func(disk *State) (bool, error) {
			err := alter(settle(disk.now(v.options.Machine), here, v.options.Merge).State)
			*disk = next
			return err == nil, err
		})
	}
	if err != nil {
		return err
	}
	v.keep(id, kept{State: next}, later)
	v.miss(id)
	return nil
}

// here is a value as this machine has it.
func (v *Values) here(ctx context.Context, id string) (kept, error) {
	v.mu.Lock()
	known, ok := v.kept[id]
	v.mu.Unlock()
	if ok {
		return known, ctx.Err()
	}
	disk, err := v.options.Local.Load(ctx, id)
	return kept{State: disk.now(v.options.Machine)}, err
}

// turn waits until nobody else of this process changes the value, and a few others.
func (v *Values) turn(id string) (leave func()) {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id)) // never fails
	lock := &v.turns[sum.Sum32()%uint32(len(v.turns))]
	lock.Lock()
	return lock.Unlock
}

func (v *Values) soon(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, v.options.Patience)
}

package replica

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// remote is a value of the shared store.
type remote struct {
	State
	revision uint64
}

// fetch asks for a shared value until ctx ends, or not at all while the store is known to be away. One that nobody sealed who knows
// the id is none; it has a revision, by which it is replaced.
func (v *Values) fetch(ctx context.Context, s seal) (remote, error) {
	if v.away.Load() {
		return remote{}, errAway
	}
	return v.ask(ctx, s)
}

// ask is fetch, whether or not the store is away.
func (v *Values) ask(ctx context.Context, s seal) (remote, error) {
	type answer struct {
		data     []byte
		revision uint64
	}
	got, err := call(ctx, v, func() (answer, error) {
		data, revision, err := v.options.Bucket.Get(ctx, s.key)
		return answer{data, revision}, err
	})
	if err != nil {
		return remote{}, err
	}
	state, err := s.open(got.data)
	if err != nil {
		v.doubted.Do(func() {
			v.options.Logger.Warn("a value of the fleet was not written by one who knows its conversation, and is not believed", "kind", v.options.Kind)
		})
	}
	return remote{state, got.revision}, nil
}

// put replaces a shared value, and gives the revision of the new one.
func (v *Values) put(ctx context.Context, s seal, state State, revision uint64) (uint64, error) {
	data, err := s.close(state)
	if err != nil {
		return 0, err
	}
	next, err := call(ctx, v, func() (uint64, error) { return v.options.Bucket.Put(ctx, s.key, data, revision) })
	if errors.Is(err, ErrLarge) {
		v.large.Do(func() {
			v.options.Logger.Warn("what is remembered of a conversation is larger than the fleet takes, and stays on this machine", "kind", v.options.Kind, "bytes", len(data))
		})
	}
	return next, err
}

// call runs a call of the bucket until ctx ends. One that does not end with its context is left alone: it keeps its slot, and when
// all are kept nobody calls.
func call[T any](ctx context.Context, v *Values, do func() (T, error)) (T, error) {
	var none T
	select {
	case v.slots <- struct{}{}:
	default:
		return none, v.missing(ctx, errAway)
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() { <-v.slots }()
		value, err := do()
		done <- answer{value, err}
	}()
	select {
	case got := <-done:
		if got.err == nil || errors.Is(got.err, ErrConflict) || errors.Is(got.err, ErrLarge) {
			return got.value, got.err
		}
		return none, v.missing(ctx, got.err)
	case <-ctx.Done():
		return none, v.missing(ctx, errAway)
	}
}

// missing notes that the store is away, unless it was the caller who gave up.
func (v *Values) missing(ctx context.Context, err error) error {
	if !errors.Is(ctx.Err(), context.Canceled) && v.away.CompareAndSwap(false, true) {
		v.options.Logger.Warn("the fleet does not answer; this machine goes on alone, and what the fleet misses is carried later", "kind", v.options.Kind, "error", err)
	}
	return err
}

// mayWait tells whether more may be kept in memory that the disk has not got yet.
func (v *Values) mayWait() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.size < maxKept
}

// keep keeps a value in memory, unless a later one is there. behind says that the disk has it perhaps not.
func (v *Values) keep(id string, now kept, behind bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	before := v.kept[id]
	if !now.Clock.covers(before.Clock) {
		return
	}
	v.size += len(now.Value) - len(before.Value)
	v.kept[id] = now
	if behind {
		v.behind[id] = true
	}
	for other := range v.kept { // any: what the store or the disk has is read again
		if v.size <= maxKept {
			break
		}
		if other != id && !v.behind[other] {
			v.size -= len(v.kept[other].Value)
			delete(v.kept, other)
		}
	}
}

// knows tells whether the shared value was seen with all changes that a clock counts.
func (v *Values) knows(id string, clock Clock) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	known, ok := v.kept[id]
	return ok && known.revision > 0 && known.Clock.covers(clock)
}

// miss notes what is to be carried, and wakes whoever carries, who also finds out whether the store is back.
func (v *Values) miss(id string) {
	v.mu.Lock()
	if !v.missed[id] {
		if len(v.missed) < maxMissed {
			v.missed[id] = true
		} else {
			v.all = true
		}
	}
	v.mu.Unlock()
	select {
	case v.waiting <- struct{}{}:
	default: // it is awake already
	}
}

// take gives what is to be carried, in its order, and whether that is not all.
func (v *Values) take() (ids []string, all bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	ids, all = slices.Sorted(maps.Keys(v.missed)), v.all
	clear(v.missed)
	v.all = false
	return ids, all
}

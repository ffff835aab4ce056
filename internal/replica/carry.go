package replica

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Times of carrying.
const (
	carryTime = 5 * time.Second // for one call of the store
	firstWait = 100 * time.Millisecond
	longWait  = 5 * time.Second // between tries while the store is away
	markEvery = time.Minute

	// How often, and for how long each time, the disk catches up: waiting for it takes a share of a core.
	catchUpEvery = 500 * time.Millisecond
	catchUpAway  = 5 * time.Millisecond // while the store is away
	catchUpTime  = 50 * time.Millisecond
	lastTime     = time.Second // when carrying ends
	markSlack    = time.Minute // clocks of file systems differ
)

// Run carries what was missed until ctx ends, and lets the disk catch up. With a poll, it looks that often for what other processes wrote.
func (v *Values) Run(ctx context.Context, poll time.Duration) {
	v.running.Store(true)
	var disk sync.WaitGroup
	disk.Go(func() { v.followUp(ctx) })
	defer disk.Wait()
	var tick <-chan time.Time
	if poll > 0 {
		ticker := time.NewTicker(poll)
		defer ticker.Stop()
		tick = ticker.C
	}
	for wait := time.Duration(0); ctx.Err() == nil; {
		if _, err := v.carryMissed(ctx); err != nil && ctx.Err() == nil {
			wait = min(max(2*wait, firstWait), longWait)
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
			continue
		}
		wait = 0
		select {
		case <-ctx.Done():
		case <-v.waiting:
		case <-tick:
			v.mu.Lock()
			v.all = true
			v.mu.Unlock()
		}
	}
}

// followUp lets the disk catch up until ctx ends, and then once more. While the shared store is away the disk alone has what was changed, so that
// half of the time goes into it; else little.
func (v *Values) followUp(ctx context.Context) {
	wait := catchUpAway
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		began := time.Now()
		v.catchUp(ctx, began.Add(catchUpTime))
		wait = max(time.Since(began), catchUpAway)
		if !v.away.Load() {
			wait = catchUpEvery
		}
	}
	v.running.Store(false) // from now on who changes something waits for the disk
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTime)
	defer cancel()
	v.catchUp(last, time.Time{})
}

// catchUp writes what the disk has not, for some time; without an end, all of it.
func (v *Values) catchUp(ctx context.Context, end time.Time) {
	v.mu.Lock()
	ids := slices.Sorted(maps.Keys(v.behind))
	v.mu.Unlock()
	for _, id := range ids {
		if ctx.Err() != nil || !end.IsZero() && time.Now().After(end) {
			return
		}
		v.mu.Lock()
		now := v.kept[id]
		delete(v.behind, id)
		v.mu.Unlock()
		if err := v.write(ctx, id, now.State); err != nil && v.unread(ctx, err) != nil {
			v.mu.Lock()
			v.behind[id] = true
			v.mu.Unlock()
			return
		}
	}
}

// write brings a state to the disk. What another process changed there meanwhile is carried.
func (v *Values) write(ctx context.Context, id string, state State) error {
	if state.Value == nil {
		return nil
	}
	return v.options.Local.Update(ctx, id, func(disk *State) (bool, error) {
		both := settle(disk.now(v.options.Machine), state, v.options.Merge)
		if both.there {
			v.keep(id, kept{State: both.State}, false)
			v.miss(id)
		}
		*disk = both.State
		return both.here, nil
	})
}

// Carry carries what was missed now, lets the disk catch up, and gives how many values it has compared. What it could not carry is noted still.
func (v *Values) Carry(ctx context.Context) (int, error) {
	n, err := v.carryMissed(ctx)
	v.catchUp(ctx, time.Time{})
	return n, err
}

func (v *Values) carryMissed(ctx context.Context) (int, error) {
	began := time.Now()
	if v.away.Load() {
		if err := v.probe(ctx); err != nil {
			return 0, err
		}
		if v.away.CompareAndSwap(true, false) {
			v.options.Logger.Info("the fleet answers again", "kind", v.options.Kind)
		}
	}
	noted, all := v.take()
	ids, since := noted, v.carried()
	if all {
		changed, err := v.options.Local.Changed(since)
		if err != nil {
			v.missAll(ids, true)
			return 0, err
		}
		ids = slices.Concat(noted, changed)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	done := 0
	for i, id := range ids {
		_, wanted := slices.BinarySearch(noted, id)
		switch compared, err := v.carry(ctx, id, wanted); {
		case err != nil:
			v.missAll(ids[i:], all)
			return done, err
		case compared:
			done++
		}
	}
	if all && began.Sub(since) > markEvery+markSlack {
		v.markCarried(began.Add(-markSlack))
	}
	return done, nil
}

func (v *Values) missAll(ids []string, all bool) {
	v.mu.Lock()
	v.all = v.all || all
	v.mu.Unlock()
	for _, id := range ids {
		v.miss(id)
	}
}

// probe asks for a value that is not there.
func (v *Values) probe(ctx context.Context) error {
	s, err := newSeal("probe", v.options.Machine)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, carryTime)
	defer cancel()
	_, err = v.ask(ctx, s)
	return err
}

// carry brings the copy of this machine and the shared one together. Nobody waits for the lock of the copy meanwhile. A copy
// that was only written lately, and that nobody wants carried, is compared unless the shared one is known to have all of it.
func (v *Values) carry(ctx context.Context, id string, wanted bool) (compared bool, err error) {
	s, err := newSeal(v.options.Kind, id)
	if err != nil {
		return false, err
	}
	for {
		disk, err := v.options.Local.Load(ctx, id)
		if err != nil {
			return false, v.unread(ctx, err)
		}
		here := disk.now(v.options.Machine)
		if !wanted && v.knows(id, here.Clock) {
			return false, nil
		}
		if known, err := v.here(ctx, id); err == nil {
			here = settle(here, known.State, v.options.Merge).State
		}
		both, revision, err := v.carryOnce(ctx, s, here)
		if errors.Is(err, ErrConflict) {
			continue // somebody else has carried theirs: there is an end to that
		}
		if err != nil {
			return true, err
		}
		if both.Value == nil {
			return true, nil
		}
		v.keep(id, kept{both.State, revision}, both.here || settle(disk.now(v.options.Machine), both.State, v.options.Merge).here)
		return true, nil
	}
}

// unread is for a copy of this machine that cannot be read or written: the others are carried all the same.
func (v *Values) unread(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	v.broken.Do(func() {
		v.options.Logger.Warn("what is remembered on this machine cannot be read or written, and is not carried", "kind", v.options.Kind, "error", err)
	})
	return nil
}

// carryOnce settles a copy of this machine with the shared one, and gives the revision of that.
func (v *Values) carryOnce(ctx context.Context, s seal, here State) (both settled, revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, carryTime)
	defer cancel()
	there, err := v.ask(ctx, s)
	if err != nil {
		return settled{}, 0, err
	}
	both, revision = settle(here, there.State, v.options.Merge), there.revision
	if both.there {
		revision, err = v.put(ctx, s, both.State, there.revision)
		if errors.Is(err, ErrLarge) {
			return both, 0, nil
		}
	}
	return both, revision, err
}

// carried is up to when everything that was written here was carried.
func (v *Values) carried() time.Time {
	if v.options.Mark == "" {
		return time.Time{}
	}
	data, err := files.OS().ReadFile(v.options.Mark, 64)
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, string(data))
	if err != nil || at.After(time.Now()) {
		return time.Time{}
	}
	return at
}

func (v *Values) markCarried(at time.Time) {
	if v.options.Mark == "" {
		return
	}
	target, err := writing.OwnTarget(v.options.Mark)
	if err == nil {
		err = target.MakeFolder(0o700)
	}
	if err == nil {
		err = target.Write([]byte(at.UTC().Format(time.RFC3339)), 0o600)
	}
	if err != nil {
		v.options.Logger.Warn("up to when a fleet has everything cannot be noted; all is compared with the next start", "error", err)
	}
}

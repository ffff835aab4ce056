package replica

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// Times of carrying.
const (
	carryTime = 5 * time.Second // for one call of the store
	firstWait = 100 * time.Millisecond
	longWait  = 5 * time.Second // between tries while the store is away
	markEvery = time.Minute
	markSlack = time.Minute // clocks of file systems differ
)

// Run carries what was missed until ctx ends. With a poll, it looks that often for what other processes wrote.
func (v *Values) Run(ctx context.Context, poll time.Duration) {
	var tick <-chan time.Time
	if poll > 0 {
		ticker := time.NewTicker(poll)
		defer ticker.Stop()
		tick = ticker.C
	}
	for wait := time.Duration(0); ; {
		if _, err := v.Carry(ctx); err != nil && ctx.Err() == nil {
			wait = min(max(2*wait, firstWait), longWait)
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			continue
		}
		wait = 0
		select {
		case <-ctx.Done():
			return
		case <-v.waiting:
		case <-tick:
			v.mu.Lock()
			v.all = true
			v.mu.Unlock()
		}
	}
}

// Carry carries what was missed now, and gives how many values it has compared. What it could not carry is noted still.
func (v *Values) Carry(ctx context.Context) (int, error) {
	began := time.Now()
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
	if len(ids) == 0 && v.away.Load() {
		if err := v.probe(ctx); err != nil {
			v.missAll(nil, all)
			return 0, err
		}
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
	if v.away.CompareAndSwap(true, false) {
		v.options.Logger.Info("the fleet answers again", "kind", v.options.Kind, "carried", done)
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
	_, err = v.ask(ctx, "", s)
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
		here, err := v.options.Local.Load(ctx, id)
		if err != nil {
			return false, v.unread(ctx, err)
		}
		here = here.now(v.options.Machine)
		if !wanted && v.knows(id, here.Clock) {
			return false, nil
		}
		both, err := v.carryOnce(ctx, id, s, here)
		if errors.Is(err, ErrConflict) {
			continue // somebody else has carried theirs: there is an end to that
		}
		if err != nil || !both.here {
			return true, err
		}
		err = v.options.Local.Update(ctx, id, func(now *State) (bool, error) {
			again := settle(now.now(v.options.Machine), both.State, v.options.Merge)
			if again.there { // it was changed here meanwhile
				v.miss(id)
			}
			*now = again.State
			return again.here, nil
		})
		if err != nil {
			err = v.unread(ctx, err)
		}
		return true, err
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

func (v *Values) carryOnce(ctx context.Context, id string, s seal, here State) (settled, error) {
	ctx, cancel := context.WithTimeout(ctx, carryTime)
	defer cancel()
	there, err := v.ask(ctx, id, s)
	if err != nil {
		return settled{}, err
	}
	both := settle(here, there.State, v.options.Merge)
	if both.there {
		if err := v.put(ctx, id, s, both.State, there.revision); err != nil && !errors.Is(err, ErrLarge) {
			return settled{}, err
		}
	}
	return both, nil
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
	target, err := files.OwnTarget(v.options.Mark)
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

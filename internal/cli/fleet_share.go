package cli

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/conversations"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/replica"
	"github.com/pertain-dev/pertain/internal/tally"
)

// sharing is what this machine shares with a fleet, beside rules: what conversations remember, and what rules did. Nothing waits for it.
type sharing struct {
	fleet         *fleet.Fleet
	conversations *conversations.Shared // those of gateways
	hooks         *replica.Values
	journal       *tally.Carrier // nil: it is not shared
	logger        *slog.Logger
}

// Times of carrying.
const (
	hooksEvery   = 3 * time.Second
	journalEvery = 10 * time.Second
	journalTime  = 30 * time.Second // for one time that the journal is brought
)

// share finds what this machine shares; nil: there is no fleet. Nothing is dialled yet. Who calls it closes it.
func (a *app) share(ctx context.Context, logger *slog.Logger) (*sharing, error) {
	paths := a.paths()
	values, problems, err := paths.Load(files.OS())
	if err != nil {
		return nil, usage("the settings cannot be read: %s", err)
	}
	if err := mistakenFleet(problems); err != nil {
		return nil, err
	}
	config, err := fleet.Of(&values.Fleet, paths.Home)
	if errors.Is(err, fleet.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, usage("%s", err)
	}
	machine, err := fleet.Machine(ctx, paths.State)
	if err != nil {
		return nil, usage("this machine has no name in the fleet: %s", reason(err))
	}
	f := fleet.New(config)
	folder := filepath.Join(paths.State, "fleet")
	s := &sharing{fleet: f, logger: logger}
	s.conversations = conversations.NewShared(conversations.SharedOptions{
		Store: conversationStore(paths.State), Bucket: f.Memory(), Machine: machine, Mark: filepath.Join(folder, "gateway.carried"), Logger: logger,
	})
	s.hooks = hook.Shared(hook.SharedOptions{
		State: paths.State, Bucket: f.Memory(), Machine: machine, Mark: filepath.Join(folder, "hooks.carried"), Logger: logger,
	})
	if detail := tally.Detail(values.Fleet.Journal); detail == tally.Numbers || detail == tally.Entries {
		s.journal = &tally.Carrier{
			Journal: journal.At(paths.State), Ledger: f.Ledger(machine), State: tally.StateFile(paths.State), Detail: detail,
			Namespace: config.Namespace, Keep: fleet.JournalAge, Now: time.Now,
		}
	}
	return s, nil
}

// run carries until ctx ends, and then, for a moment, what is left: a machine of CI is gone afterwards. It gives a function that waits for that.
func (s *sharing) run(ctx context.Context, memory bool) (wait func()) {
	if s == nil {
		return func() {}
	}
	var all sync.WaitGroup
	if memory {
		all.Go(func() { s.conversations.Run(ctx) })
		all.Go(func() { s.hooks.Run(ctx, hooksEvery) })
	}
	if s.journal != nil {
		all.Go(func() { s.bring(ctx) })
	}
	return func() {
		all.Wait()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMoment)
		defer cancel()
		_, _ = s.carry(ctx, memory) // what stays is carried by the next process
		s.fleet.Close()
	}
}

// lastMoment is how long a process that ends carries what is left.
const lastMoment = time.Second

// bring brings the journal now and then.
func (s *sharing) bring(ctx context.Context) {
	failing := false
	for {
		soon, cancel := context.WithTimeout(ctx, journalTime)
		_, err := s.journal.Carry(soon)
		cancel()
		if err != nil && !failing && ctx.Err() == nil {
			s.logger.Warn("the journal cannot be brought to the fleet now; it is tried again", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-time.After(journalEvery):
		}
	}
}

// prepare makes what is missing on the servers, so that a fleet which loses a node later has it already: three copies take three nodes.
func (s *sharing) prepare(ctx context.Context) error {
	if _, _, err := s.fleet.Memory().Get(ctx, "prepare"); err != nil {
		return err
	}
	if s.journal == nil {
		return nil
	}
	if _, _, err := s.journal.Ledger.Day(ctx, tally.DayOf(time.Now())); err != nil {
		return err
	}
	_, _, err := s.journal.Ledger.Last(ctx)
	return err
}

// carriedReport is what was carried.
type carriedReport struct {
	Conversations int  `json:"conversations"` // compared with those of the fleet
	Lines         int  `json:"lines"`         // of the journal
	Journal       bool `json:"journal"`       // whether it is shared
}

// carry carries everything now.
func (s *sharing) carry(ctx context.Context, memory bool) (out carriedReport, err error) {
	if memory {
		for _, one := range []func(context.Context) (int, error){s.conversations.Carry, s.hooks.Carry} {
			n, err := one(ctx)
			out.Conversations += n
			if err != nil {
				return out, err
			}
		}
	}
	if s.journal != nil {
		out.Journal = true
		out.Lines, err = s.journal.Carry(ctx)
	}
	return out, err
}

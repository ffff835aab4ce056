package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/internal/settings"
)

// followFleet keeps this machine's copy current while a command runs, where the settings name a fleet: else nothing is started. What it takes is seen
// by whoever follows the files of the copy, in this process and in others. tell gets a line for each thing that people should know. end stops it
// and waits for that.
func (a *app) followFleet(ctx context.Context, tell fleetTeller) (end func()) {
	paths := a.paths()
	values, _, err := paths.Load(files.OS())
	if err != nil || !values.Fleet.Enabled() {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { followSettings(ctx, paths, tell) })
	return func() {
		cancel()
		all.Wait()
	}
}

// fleetTeller is told a line about the fleet; a problem is something that the user may have to do something about.
type fleetTeller func(line string, problem bool)

// telling logs lines about the fleet.
func telling(logger *slog.Logger) fleetTeller {
	return func(line string, problem bool) {
		if problem {
			logger.Warn(line)
		} else {
			logger.Info(line)
		}
	}
}

// followSettings follows the fleet that the settings name at the moment.
func followSettings(ctx context.Context, paths settings.Paths, tell fleetTeller) {
	var now settings.Fleet
	mistaken := false
	stop := func() {}
	defer func() { stop() }()
	_ = follow.Changes(ctx, follow.Options{}, func(look context.Context) (time.Duration, error) {
		values, problems, err := paths.Load(follow.Noted(look, files.OS()))
		mistake := mistakenFleet(problems)
		if err != nil || reflect.DeepEqual(values.Fleet, now) && (mistake == nil) == !mistaken {
			return 0, nil //nolint:nilerr // what held before holds until the settings can be read
		}
		stop()
		now, mistaken, stop = values.Fleet, mistake != nil, func() {}
		if mistaken {
			tell("fleet: "+oneLine(mistake.Error()), true)
			return 0, nil
		}
		c := &fleetCall{paths: paths}
		if !values.Fleet.Enabled() {
			return 0, nil
		}
		if err := c.open(values.Fleet); err != nil {
			tell("fleet: "+oneLine(err.Error()), true)
			return 0, nil
		}
		stop = c.follow(ctx, tell)
		return 0, nil
	})
}

// follow takes what is pushed until it is told to stop, which waits for the end.
func (c *fleetCall) follow(ctx context.Context, tell fleetTeller) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		defer c.fleet.Close()
		if len(c.trust.Keys) == 0 {
			tell("fleet: "+revision.ErrNoKeys.Error(), true)
			return
		}
		c.book.Follow(ctx, c.store, func(e fleet.Event) {
			tell(c.eventLine(ctx, e, time.Now()), e.Refused != nil || e.Away != nil)
		})
	})
	return func() {
		cancel()
		all.Wait()
	}
}

// eventLine words what happened.
func (c *fleetCall) eventLine(ctx context.Context, e fleet.Event, now time.Time) string {
	switch {
	case e.Taken != nil:
		return "fleet: " + revisionLine(e.Taken.Checked, now) + " is in force"
	case e.Refused != nil:
		return "fleet: what the servers show is not taken: " + oneLine(e.Refused.Error()) + "; " + c.haveLine(ctx, now)
	case e.Away != nil:
		return "fleet: the servers cannot be reached; " + c.haveLine(ctx, now)
	}
	return "fleet: the servers answer again"
}

// haveLine tells what is used meanwhile, and how old it is.
func (c *fleetCall) haveLine(ctx context.Context, now time.Time) string {
	have, err := c.store.Open(ctx, files.OS(), c.trust)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "nothing of the fleet is here yet"
	case err != nil:
		return "nothing of the fleet is used: " + oneLine(err.Error())
	}
	line := fmt.Sprintf("revision %d of %s stays in force", have.Revision, ageOf(have.Time, now))
	if at, _ := c.store.LastChecked(); !at.IsZero() {
		line += ", last confirmed " + ageOf(at, now)
	}
	return line
}

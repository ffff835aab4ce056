package pertain

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/skill"
)

// fleetCopy is the copy of a fleet's revision that this machine keeps (docs/fleet.md). Nothing here reaches for a network.
type fleetCopy struct {
	store revision.Store
	trust revision.Trust
	list  diag.List // what is wrong with the keys
}

// newFleetCopy is that of settings; nil: there is no fleet.
func newFleetCopy(values *settings.Settings, paths settings.Paths) *fleetCopy {
	if !values.Fleet.Enabled() || paths.State == "" {
		return nil
	}
	f := &fleetCopy{store: revision.In(paths.State, values.Fleet.Namespace)}
	var problems []error
	f.trust, problems = revision.NewTrust(values.Fleet.Namespace, values.Fleet.Keys)
	for _, err := range problems {
		f.list.Add(diag.At(diag.NewSource(paths.Config, ""), diag.NoSpan, diag.StrategyInvalidField, "%s", err))
	}
	return f
}

// dir is the folder of the revision's files; empty: there is none that may be used.
func (f *fleetCopy) dir(ctx context.Context) (string, diag.List) {
	dir, list, _ := f.open(ctx)
	return dir, list
}

// errNotTaken says that a machine has settings of a fleet, and nothing of its rules.
var errNotTaken = errors.New("nothing of the fleet was taken yet")

// open finds the folder of the revision's files; missing says why there is none, where the settings want rules of the fleet.
func (f *fleetCopy) open(ctx context.Context) (dir string, told diag.List, missing error) {
	if f == nil {
		return "", nil, nil
	}
	found, err := f.store.Open(ctx, follow.Noted(ctx, files.OS()), f.trust)
	switch {
	case err == nil:
		return found.Dir, f.list, nil
	case ctx.Err() != nil:
		return "", f.list, ctx.Err()
	case errors.Is(err, fs.ErrNotExist): // `fleet status` and `doctor` tell it
		if len(f.trust.Keys) == 0 {
			return "", f.list, nil
		}
		return "", f.list, errNotTaken
	}
	list := slices.Clone(f.list)
	list.Add(diag.At(diag.NewSource(f.store.Dir, ""), diag.NoSpan, diag.StrategyUntrusted, "nothing of the fleet is used: %s", err).
		WithHint("run `pertain fleet status`"))
	if len(f.trust.Keys) == 0 { // the fleet is there for other things
		err = nil
	}
	return "", list, err
}

// skills finds the fleet's skills; nil: there are none.
func (f *fleetCopy) skills() func(context.Context) []skill.Root {
	if f == nil {
		return nil
	}
	return skillfolder.Fleet(f.store.Dir, func(ctx context.Context) string {
		dir, _ := f.dir(ctx)
		return dir
	})
}

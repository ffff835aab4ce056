package pertain

import (
	"context"
	"slices"

	"github.com/pertain-dev/pertain/strategy"
)

// origin is where options came from.
type origin struct {
	env   Environment
	given Options // as they were: what the program has set itself is not touched
}

// relocate takes over what the settings, the workspace and trust say now. Where
// they cannot be read, what is known stays. The caller holds the engine's lock.
func (e *Engine) relocate(ctx context.Context) {
	from := e.options.origin
	if from == nil {
		return
	}
	location, err := locate(ctx, from.env)
	if err != nil {
		return
	}
	now, next, given := &e.options, location.Options, from.given
	if sameSlice(now.Providers, given.Providers) {
		now.Providers, now.find, now.findIn = next.Providers, next.find, next.findIn
	}
	if sameSlice(now.Resolvers, given.Resolvers) {
		now.Resolvers = next.Resolvers
	}
	if sameSlice(now.Disabled, given.Disabled) {
		now.Disabled = next.Disabled
	}
	if sameSlice(now.Diagnostics, given.Diagnostics) {
		now.Diagnostics = next.Diagnostics
	}
	if now.Limits == given.Limits {
		now.Limits = next.Limits
	}
	if now.MatchBudget == given.MatchBudget {
		now.MatchBudget = next.MatchBudget
	}
	now.origin = &origin{env: from.env, given: next}
	e.normalizer = &strategy.Normalizer{Resolvers: now.Resolvers, Preprocessors: now.Preprocessors, Limits: now.Limits}
}

// Renew reads everything again, as if the engine were opened now with the options that
// [Locate] finds. It is for a process that keeps an engine and has to answer as a new
// process would. What has not changed is not parsed again. The error is for I/O and
// cancellation; what was loaded before stays then.
func (e *Engine) Renew(ctx context.Context) (*Catalog, error) {
	e.loading.Lock()
	defer e.loading.Unlock()
	e.relocate(ctx)
	next, _, err := e.load(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	e.swap(next)
	return e.Catalog(), nil
}

// swap puts a catalog in the place of the one before, which stays where nothing is
// other, with its index. The caller holds the engine's lock.
func (e *Engine) swap(next *Catalog) (same bool) {
	previous := e.Catalog()
	same = slices.Equal(previous.strategies, next.strategies) && slices.EqualFunc(previous.diagnostics, next.diagnostics, sameDiagnostic)
	if !same || previous.budget != next.budget || !slices.EqualFunc(previous.providers, next.providers, sameProvider) {
		e.catalog.Store(next)
	}
	return same
}

// sameSlice tells whether two slices are one, not only alike.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

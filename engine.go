// Package pertain decides which prompts pertain to what is happening right now.
//
// [Open] loads strategies into an [Engine]; its [Catalog] is one immutable
// value with every strategy, valid or not, and what was found wrong. [Locate]
// makes the options for the usual folders of this machine.
//
// An Engine is safe for concurrent use. Reading its catalog takes no lock; a
// reload builds a new catalog and swaps it in at once.
//
// The module follows semantic versioning: within a major version, exported
// names of the packages that are not internal keep their meaning. Diagnostic
// codes and the JSON forms are part of that promise; the wording of messages is
// not.
package pertain

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// Options say what an engine works with. The zero value has no strategies.
type Options struct {
	Providers []strategy.Provider // in their order for ties

	// Find finds the providers again whenever all strategies are read again:
	// plugins come and go. What FindIn names is watched for that. nil: Providers
	// stay as they are.
	find   func() []strategy.Provider
	findIn []string

	Resolvers     []strategy.Resolver    // for `from`, asked in order
	Preprocessors strategy.Preprocessors // nil: ids are not checked
	Limits        cond.Limits            // default time limits; zero ones are the usual ones
	MatchBudget   time.Duration          // for a whole match; 0: a second
	Disabled      []string               // ids that are loaded, but never matched
	Diagnostics   diag.List              // what was found before, such as in the settings
	Logger        *slog.Logger           // for slow builtin strategies and folders that cannot be watched; nil: silent

	origin *origin              // set by Locate, for who watches; nil: the options are somebody's own
	shares *strategy.Normalizer // of engines that are opened together; nil: each load shares alone
}

// Together gives options for engines that are opened one right after the other: a source that several of their files
// name with `from` is parsed and compiled once for all of them. The options hold these sources in memory, so they
// should not be kept for longer.
func (o Options) Together() Options {
	o.shares = (&strategy.Normalizer{}).Together()
	return o
}

// Engine holds the strategies that are loaded now. [Open] makes one; the zero
// value has no strategies.
type Engine struct {
	options    Options
	normalizer *strategy.Normalizer
	registry   *plan.Registry
	catalog    atomic.Pointer[Catalog]
	loading    sync.Mutex // one reload at a time
	settle     time.Duration
}

// Open loads all strategies. The error is for I/O and cancellation alone:
// strategies that are wrong are in the catalog, with what is wrong.
func Open(ctx context.Context, options Options) (*Engine, error) {
	e := &Engine{
		options:  options,
		registry: registryOf(options),
		settle:   settleTime,
		normalizer: &strategy.Normalizer{
			Resolvers:     options.Resolvers,
			Preprocessors: options.Preprocessors,
			Limits:        options.Limits,
		},
	}
	if options.shares != nil {
		e.normalizer = e.normalizer.TogetherWith(options.shares)
	}
	if _, err := e.Reload(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// Catalog is what is loaded now. A catalog never changes, so callers may keep it.
func (e *Engine) Catalog() *Catalog {
	if c := e.catalog.Load(); c != nil {
		return c
	}
	return &Catalog{}
}

// Reload reads the strategies again and swaps the catalog. With paths, only
// those files, and the strategies that were made from them, are looked at; a
// file that has not changed is not parsed again.
func (e *Engine) Reload(ctx context.Context, paths ...string) (*Catalog, error) {
	e.loading.Lock()
	defer e.loading.Unlock()
	next, _, err := e.load(ctx, paths, nil)
	if err != nil {
		return nil, err
	}
	e.catalog.Store(next)
	return next, nil
}

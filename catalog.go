package pertain

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// Catalog is one immutable set of strategies.
type Catalog struct {
	strategies  []*strategy.Strategy
	diagnostics diag.List
	byID        map[string]*strategy.Strategy
	order       map[string]int // provider → position among the providers
	needs       facts.Needs

	conditions []cond.Condition // the programs of the strategies that can match
	condition  []int            // which strategy each of them is
	index      catalogIndex

	registry  *plan.Registry // the preprocessors; nil: Pertain's own
	budget    time.Duration  // for a whole match; 0: a second
	untrusted diag.List      // one for each strategy that is not trusted
	encodings sync.Map       // *strategy.Strategy → *encoded, made when they are first needed

	providers []strategy.Provider
	files     map[string]*loadedFile // by provider and name
	lists     [][]string             // for each provider the keys of its files, in order
}

// Strategies are all strategies, valid or not, in the order of providers and
// paths. The slice must not be changed.
func (c *Catalog) Strategies() []*strategy.Strategy { return c.strategies }

// Diagnostics is everything that was found while loading.
func (c *Catalog) Diagnostics() diag.List { return c.diagnostics }

// ByID finds a strategy, without case; of several with one id the valid one.
func (c *Catalog) ByID(id string) (*strategy.Strategy, bool) {
	s, ok := c.byID[strategy.Key(id)]
	return s, ok
}

// NearestIDs are the ids that one was probably meant to be.
func (c *Catalog) NearestIDs(id string) []string {
	var names []string
	for _, s := range c.strategies {
		names = append(names, s.ID)
	}
	var near []string
	for len(near) < 3 {
		found := diag.Nearest(id, names)
		if found == "" {
			found = sameEnding(id, names)
		}
		if found == "" {
			return near
		}
		near = append(near, found)
		names = without(names, found)
	}
	return near
}

// sameEnding finds an id that was written without its namespace.
func sameEnding(id string, names []string) string {
	key := "." + strategy.Key(id)
	for _, name := range names {
		if k := strategy.Key(name); len(k) > len(key) && k[len(k)-len(key):] == key {
			return name
		}
	}
	return ""
}

func without(names []string, name string) []string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}

// active tells whether a strategy takes part in matching.
func active(s *strategy.Strategy) bool { return s.Valid && s.Enabled && s.Trusted }

// catalogIndex is the index over all conditions. Building it costs more than
// one match without it, so it waits for the second one.
type catalogIndex struct {
	used  atomic.Bool // a match has been made
	once  sync.Once
	ready atomic.Pointer[cond.Set]
}

// Prepare builds the index over all conditions now, for programs that match
// often. Without Prepare, the first match does without the index and the
// second one builds it.
func (c *Catalog) Prepare() {
	c.index.once.Do(func() { c.index.ready.Store(cond.NewSet(slices.Clone(c.conditions))) })
}

// match evaluates the conditions that may hold.
func (c *Catalog) match(ctx context.Context, ev *cond.Evaluation, yield func(cond.Hit)) {
	if c.index.ready.Load() == nil && c.index.used.Swap(true) {
		c.Prepare()
	}
	if set := c.index.ready.Load(); set != nil {
		set.Match(ctx, ev, yield)
		return
	}
	cond.Walk(ctx, c.conditions, ev, yield)
}

func untrustedStrategy(s *strategy.Strategy) diag.Diagnostic {
	d := diag.At(s.Source, diag.NoSpan, diag.StrategyUntrusted, "the workspace is not trusted, so the strategy is never recommended or run").
		WithHint("look at it, then run `pertain trust`")
	d.Strategy = s.ID
	return d
}

package pertain

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Gather collects what the strategies that can match want to know, and nothing
// else, over what is known already. Keep the gatherer: it knows which of its
// collectors are stuck.
func (e *Engine) Gather(ctx context.Context, g *facts.Gatherer, base facts.Parts) (facts.Gathering, error) {
	catalog := e.Catalog()
	return g.Gather(ctx, catalog.Needs(), base, catalog.extraLimit())
}

// extraLimit is the longest time that a strategy gives a collector.
func (c *Catalog) extraLimit() time.Duration {
	var longest time.Duration
	for _, m := range c.members {
		longest = max(longest, m.Limits.Extra)
	}
	return longest
}

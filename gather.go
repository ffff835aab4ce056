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
	return g.Gather(ctx, catalog.wanted(), base, catalog.extraLimit())
}

// selectedText is an attachment, so no strategy lists it among what it reads;
// but when the user attaches none, the text that is selected on the screen
// stands in, and it is read only if a condition asks for it.
const selectedText = "attachments.selection.text"

// wanted is what the strategies that can match want to have collected.
func (c *Catalog) wanted() facts.Needs {
	var needs facts.Needs
	needs.Merge(c.needs)
	for _, i := range c.condition {
		if c.strategies[i].When.Reads(selectedText) {
			needs.Add(selectedText)
			break
		}
	}
	return needs
}

// extraLimit is the longest time that a strategy gives a collector.
func (c *Catalog) extraLimit() time.Duration {
	var longest time.Duration
	for _, m := range c.conditions {
		longest = max(longest, m.Limits.Extra)
	}
	return longest
}

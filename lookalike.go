package pertain

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// checkIDs reports ids that do not say to a reader what they are: see
// [rule.NameProblem], and those that look like another strategy's.
func (c *Catalog) checkIDs() {
	alike := make(map[string]*strategy.Strategy, len(c.strategies))
	for _, s := range c.strategies {
		skeleton := strategy.Key(visible.Skeleton(s.ID))
		other := alike[skeleton]
		if other == nil {
			alike[skeleton] = s
		} else if strategy.Key(other.ID) == strategy.Key(s.ID) {
			continue // one id twice, which is told already
		}
		problem := rule.NameProblem(s.ID)
		switch {
		case other != nil && problem == "" && rule.NameProblem(other.ID) != "": // the other is the odd one
			c.warnID(other, "looks like that of another strategy, but is written with other characters", s)
		case other != nil:
			c.warnID(s, "looks like that of another strategy, but is written with other characters", other)
		case problem != "":
			c.warnID(s, problem, nil)
		}
	}
}

func (c *Catalog) warnID(s *strategy.Strategy, problem string, other *strategy.Strategy) {
	d := diag.At(s.Source, s.IDSpan(), diag.StrategyInvalidEncoding, "the id `%s` %s", visible.Line(s.ID), problem).
		WithHint("write it in plain letters")
	d.Severity, d.Strategy = diag.Warning, s.ID
	if other != nil {
		d = d.WithRelated(other.Source, other.IDSpan(), "this is the other one")
	}
	c.diagnostics.Add(d)
}

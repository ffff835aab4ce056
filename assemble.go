package pertain

import (
	"fmt"
	"slices"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// assemble compares ids, applies the settings and collects what there is to say.
func (c *Catalog) assemble(options Options, registry *plan.Registry) {
	disabled := map[string]bool{}
	for _, id := range options.Disabled {
		disabled[strategy.Key(id)] = true
	}
	c.registry = registry
	c.byID = make(map[string]*strategy.Strategy, len(c.files))
	c.order = make(map[string]int, len(c.providers))
	c.diagnostics = slices.Clone(options.Diagnostics)
	c.strategies = make([]*strategy.Strategy, 0, len(c.files))
	c.conditions = make([]cond.Condition, 0, len(c.files))
	c.condition = make([]int, 0, len(c.files))
	for i, p := range c.providers {
		c.order[p.ID()] = i
		first := make(map[string]*strategy.Strategy, len(c.lists[i]))
		var left leftOutFiles
		for _, key := range c.lists[i] {
			file := c.files[key]
			s := file.strategy
			as := changes{disabled: disabled[strategy.Key(s.ID)] && s.Enabled}
			if key := s.OwnKey(); key != "" {
				if as.duplicates = first[key]; as.duplicates == nil {
					first[key] = s
				}
			}
			shown := file.as(as)
			c.add(shown)
			if file.left == "" || left.first(len(c.diagnostics), len(shown.Diagnostics)) {
				c.diagnostics = append(c.diagnostics, shown.Diagnostics...)
			}
		}
		left.tell(c.diagnostics)
	}
	c.checkIDs()
	c.diagnostics = c.diagnostics.Limit()
}

// leftOutFiles are those of a provider that are over its limit. All of them say the same of themselves, and there may be very many: among
// what there is to say about a catalog the first speaks for all.
type leftOutFiles struct {
	at, said int // where the diagnostics of the first are, and how many
	more     int // files after it
}

// first takes one in, and tells whether it is the first; its diagnostics would be at so far.
func (l *leftOutFiles) first(at, said int) bool {
	if l.said > 0 {
		l.more++
		return false
	}
	l.at, l.said = at, said
	return true
}

// tell adds how many others there are.
func (l *leftOutFiles) tell(list diag.List) {
	if l.more > 0 {
		list[l.at].Message += fmt.Sprintf("; nor can %d more of this provider", l.more)
	}
}

// changes are what a catalog sets otherwise than the file of a strategy says.
// The zero value is nothing.
type changes struct {
	duplicates *strategy.Strategy // the first one of its id
	disabled   bool
}

// as is the strategy with these changes, the same one each time: who compares catalogs
// must see no change where there is none. The caller holds the engine's lock.
func (f *loadedFile) as(g changes) *strategy.Strategy {
	if g == (changes{}) {
		return f.strategy
	}
	if f.shown != nil && f.shownWith == g {
		return f.shown
	}
	s := f.strategy
	if g.duplicates != nil {
		s = s.Duplicate(g.duplicates)
	}
	if g.disabled {
		off := *s
		off.Enabled = false
		s = &off
	}
	f.shown, f.shownWith = s, g
	return s
}

func (c *Catalog) add(s *strategy.Strategy) {
	c.strategies = append(c.strategies, s)
	if !s.Trusted {
		c.untrusted.Add(untrustedStrategy(s))
	}
	id := strategy.Key(s.ID)
	if old := c.byID[id]; old == nil || !old.Valid && s.Valid {
		c.byID[id] = s
	}
	if active(s) {
		c.needs.Merge(s.Needs)
		c.conditions = append(c.conditions, cond.Condition{Program: s.Program, Limits: s.Limits})
		c.condition = append(c.condition, len(c.strategies)-1)
	}
}

// sources are the files that strategies were made from beside their own, for
// watching.
func (c *Catalog) sources() []string {
	var names []string
	for _, f := range c.files {
		names = append(names, f.includes...)
		names = append(names, f.lost...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

package pertain

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// encoded is what is the same about a strategy in every answer. It is made when
// the strategy is first answered with, and not changed but for its reasons.
type encoded struct {
	strategy    *strategy.Strategy
	permissions []string
	name, id    string                   // as they are sorted
	written     sync.Once                // head, tail and failed: a listing for people does without them
	head, tail  []byte                   // the JSON form up to the result, and from the duration to the diagnostics
	failed      error                    // why there is no JSON form
	reasons     atomic.Pointer[[]string] // of every match, where the condition leaves no choice; nil: not known
}

// encodingOf encodes what is the same about a strategy once for a catalog.
func (c *Catalog) encodingOf(s *strategy.Strategy) *encoded {
	if p, ok := c.encodings.Load(s); ok {
		return p.(*encoded)
	}
	p, _ := c.encodings.LoadOrStore(s, encode(s, plan.Permissions(s, c.registry)))
	return p.(*encoded)
}

func encode(s *strategy.Strategy, permissions []string) *encoded {
	if s == nil {
		s = &strategy.Strategy{} // the answer for an id that is not known
	}
	return &encoded{strategy: s, permissions: permissions, name: glob.Fold(s.Name), id: strategy.Key(s.ID)}
}

// write makes the JSON form, which is as long as everything that the strategy allows.
func (p *encoded) write() {
	s := p.strategy
	identity := identityJSON{
		ID: s.ID, Name: s.Name, Priority: s.Priority, Provider: s.Provider, Includes: []string{},
		Enabled: s.Enabled, Valid: s.Valid, Trusted: s.Trusted,
	}
	if s.Source != nil {
		identity.Source = s.Source.Name()
	}
	if s.Description != "" {
		identity.Description = &s.Description
	}
	if s.Icon != "" {
		identity.Icon = &s.Icon
	}
	for _, include := range s.Includes {
		identity.Includes = append(identity.Includes, include.Name())
	}
	head, err1 := json.Marshal(identity)
	tail, err2 := json.Marshal(accessJSON{Reads: orEmpty(s.Needs.Names()), Permissions: orEmpty(p.permissions)})
	if p.failed = errors.Join(err1, err2); p.failed != nil {
		return
	}
	p.head = append(bytes.TrimSuffix(head, []byte("}")), `,"result":`...)
	tail[0] = ',' // its opening brace
	p.tail = append(bytes.TrimSuffix(tail, []byte("}")), `,"diagnostics":`...)
}

// identityJSON and accessJSON are the parts of a candidate's documented form
// (docs/reference/json.md) that stand before the result and after the duration.
type identityJSON struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description *string  `json:"description"`
	Icon        *string  `json:"icon"`
	Priority    int      `json:"priority"`
	Provider    string   `json:"provider"`
	Source      string   `json:"source"`
	Includes    []string `json:"includes"`
	Enabled     bool     `json:"enabled"`
	Valid       bool     `json:"valid"`
	Trusted     bool     `json:"trusted"`
}

type accessJSON struct {
	Reads       []string `json:"reads"`
	Permissions []string `json:"permissions"`
}

// reasonsOf says why a strategy matched. Where its condition leaves no choice,
// such as where all of its parts must hold, the answer is always the same.
func (c *Catalog) reasonsOf(s *strategy.Strategy, ev *cond.Evaluation) []string {
	p := c.encodingOf(s)
	if known := p.reasons.Load(); known != nil {
		return *known
	}
	result, tree := s.Program.Explain(ev, s.Limits, nil, false)
	out := orEmpty(Explanation{Tree: tree}.Reasons())
	if result == cond.True && settled(tree, true) {
		p.reasons.Store(&out)
	}
	return out
}

// settled tells whether a condition has this result for one reason alone.
func settled(t *cond.Trace, result bool) bool {
	var choice bool
	switch t.Kind {
	case "path", "visual", "const":
		return true
	case "all":
		choice = !result
	case "any":
		choice = result
	case "none":
		choice, result = !result, !result
	case "not": // of one condition
		choice, result = false, !result
	default:
		return false
	}
	if choice && len(t.Children) > 1 || t.Unlisted > 0 {
		return false
	}
	for _, child := range t.Children {
		if !settled(child, result) {
			return false
		}
	}
	return true
}

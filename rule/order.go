package rule

import (
	"cmp"
	"context"
	"slices"

	"github.com/pertain-dev/pertain/diag"
)

// Provider finds the rules of one tool.
type Provider interface {
	// ID is the provider's name, such as cursor.
	ID() string
	// Priority orders providers: the higher comes first.
	Priority() int
	// Rules reads the tool's files, in the tool's order of precedence. The error
	// is for cancellation alone: files that cannot be read are in the list.
	Rules(ctx context.Context) ([]*Rule, diag.List, error)
}

// Load asks the providers for their rules, in order of priority; those of equal
// priority in the order given (docs/reference/rules.md).
func Load(ctx context.Context, providers []Provider, options Options) (*Set, error) {
	ordered := slices.Clone(providers)
	slices.SortStableFunc(ordered, func(a, b Provider) int { return cmp.Compare(b.Priority(), a.Priority()) })
	var rules []*Rule
	var warnings diag.List
	for _, p := range ordered {
		found, list, err := p.Rules(ctx)
		if err != nil {
			return nil, err
		}
		rules = append(rules, found...)
		warnings = append(warnings, list...)
	}
	return NewSet(rules, warnings, options), nil
}

// orderFolders puts rules of one tool that have one name in several folders into
// the order in which tools give them to a model: the outermost first. They change
// places among themselves; all others stay.
func (s *Set) orderFolders() {
	type key struct{ provider, name string }
	spots := map[key][]int{}
	for i, r := range s.all {
		if r.chained && !r.Shadowed && r.Format != nil && !r.Format.Overrides {
			k := key{r.Provider, r.short}
			spots[k] = append(spots[k], i)
		}
	}
	moved := slices.Clone(s.all)
	for _, at := range spots {
		for i, from := range at {
			moved[at[len(at)-1-i]] = s.all[from]
		}
	}
	s.all = moved
}

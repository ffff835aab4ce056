package rule

import (
	"cmp"
	"context"
	"slices"
	"sync"

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

// Options say how a set answers. The zero value is the default.
type Options struct {
	Documented bool   // exactly as the rulebook describes: rule:// reaches rulebook rules only
	Root       string // the project's root, absolute, with slashes; for notes
	FoldCase   bool   // paths are compared without case

	// Agent is the one whose view this is: the rules are those that it loads, in its
	// order. Empty: all agents together.
	Agent string
	// Beside: rules with one name do not hide each other, as the agent has it.
	Beside bool

	// Trusted are the folders of the project that the user trusts, absolute, with
	// slashes, as they are written and without links. What lies elsewhere comes from
	// strangers: its rules hide no rule of the user's own that has a trigger.
	Trusted []string
}

// Set is all rules in order of precedence. It is immutable and safe for
// concurrent use. A nil one has no rules.
type Set struct {
	options  Options
	all      []*Rule // shadowed and disabled ones too
	rules    []*Rule // those that are neither
	byName   map[string]*Rule
	warnings diag.List

	indexOnce sync.Once
	index     *index
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

// NewSet makes a set of rules that are in order of precedence: of several with
// one name the first that is not switched off wins, but no trigger of the user's own is lost to a stranger
// (see [Options.Trusted]). It takes the rules over. A loser whose text is another
// than the winner's is reported.
func NewSet(rules []*Rule, warnings diag.List, options Options) *Set {
	s := &Set{options: options, all: rules, warnings: slices.Clone(warnings)}
	if !options.Documented {
		s.foldExports()
	}
	if !options.Documented && options.Agent == "" {
		s.unite()
	}
	if !options.Documented {
		s.nameFolders()
	}
	if !options.Documented && options.Agent == "" {
		s.orderFolders()
	}
	s.byName = s.winners()
	met := make(map[*Rule]bool, len(s.byName))
	for _, r := range s.all {
		if r.Shadowed || r.Disabled { // a part of another, or switched off
			continue
		}
		if winner := s.byName[r.Name]; winner != r && !options.Beside {
			s.shadow(r, winner, !met[winner])
			continue
		}
		met[r] = true
		s.rules = append(s.rules, r)
	}
	s.weigh()
	s.checkNames()
	s.warnings = s.warnings.Limit()
	return s
}

func (s *Set) orEmpty() *Set {
	if s == nil {
		return &Set{}
	}
	return s
}

// All are all rules, shadowed and disabled ones too. The slice must not be changed.
func (s *Set) All() []*Rule { return s.orEmpty().all }

// Rules are the rules that are neither shadowed nor disabled. The slice must not be changed.
func (s *Set) Rules() []*Rule { return s.orEmpty().rules }

// Bucket are the rules of one bucket that are neither shadowed nor disabled.
func (s *Set) Bucket(b Bucket) []*Rule {
	var out []*Rule
	for _, r := range s.Rules() {
		if r.Bucket == b {
			out = append(out, r)
		}
	}
	return out
}

// Alone is a set with one rule of this one, for who asks about that rule alone.
func (s *Set) Alone(r *Rule) *Set {
	return &Set{options: s.orEmpty().options, all: []*Rule{r}, rules: []*Rule{r}, byName: map[string]*Rule{r.Name: r}}
}

// Warnings is everything that was found while loading.
func (s *Set) Warnings() diag.List { return s.orEmpty().warnings }

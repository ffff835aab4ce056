package visual

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
)

// Query is a query that was read and checked. It is immutable and safe for
// concurrent use.
type Query struct {
	caseSensitive bool
	fromPrimary   bool
	self          step // the filters on `.`
	steps         []step
	attribute     Attribute

	chains    []chain // the steps, cut at every //
	typesLead bool    // it starts at the roots, and all of several steps but the last ask for types alone
}

// step is one step of the path with its filters.
type step struct {
	below      bool // reached by //, not by /
	any        bool // * instead of a type
	kind       facts.ElementType
	predicates []predicate
	test       test
}

// chain is a run of steps that are joined by /: each element is the parent of
// the next. Between two chains stands //.
type chain struct {
	steps    []*step
	anchored bool // the first chain of a query that starts with / or ./
	first    int  // number of its first step in the query
	text     bool // one of its steps asks for @text
}

// SelectsAttribute says which attribute the query reads; ok is false when it
// selects elements.
func (q *Query) SelectsAttribute() (attribute Attribute, ok bool) {
	return q.attribute, q.attribute != NoAttribute
}

// NeedsText is true when the query names @text, which is expensive to read.
func (q *Query) NeedsText() bool {
	return q.attribute == Text || q.anyPredicate(func(p *predicate) bool { return p.attribute == Text })
}

// NeedsPrimary is true when the query starts at the primary element.
func (q *Query) NeedsPrimary() bool { return q.fromPrimary }

// CaseSensitive is true when strings are compared with case.
func (q *Query) CaseSensitive() bool { return q.caseSensitive }

// Regexes are the expressions of all matches(...), in the order of the query.
func (q *Query) Regexes() []*regex.Regexp {
	var all []*regex.Regexp
	q.anyPredicate(func(p *predicate) bool {
		if p.re != nil {
			all = append(all, p.re)
		}
		return false
	})
	return all
}

func (q *Query) anyPredicate(is func(*predicate) bool) bool {
	for i := range q.self.predicates {
		if is(&q.self.predicates[i]) {
			return true
		}
	}
	for s := range q.steps {
		for i := range q.steps[s].predicates {
			if is(&q.steps[s].predicates[i]) {
				return true
			}
		}
	}
	return false
}

// String writes the query in the usual spelling, which reads back as the same
// query.
func (q *Query) String() string {
	return q.write(func(all []predicate) []string {
		filters := make([]string, len(all))
		for i := range all {
			filters[i] = all[i].String()
		}
		return filters
	})
}

// Key is equal for queries that always have the same answer because they differ
// in nothing but spelling: blanks, quotes, the order of filters, and case where
// it does not count.
func (q *Query) Key() string {
	key := q.write(func(all []predicate) []string {
		filters := make([]string, len(all))
		for i, p := range all {
			if !q.caseSensitive && p.how != doesMatch {
				p.text = glob.Fold(p.text)
			}
			filters[i] = p.String()
		}
		slices.Sort(filters)
		return slices.Compact(filters)
	})
	if q.caseSensitive {
		return "case " + key // no query starts with a word
	}
	return key
}

func (q *Query) write(filters func([]predicate) []string) string {
	var b strings.Builder
	add := func(s *step) {
		for _, f := range filters(s.predicates) {
			b.WriteString("[" + f + "]")
		}
	}
	if q.fromPrimary {
		b.WriteString(".")
		add(&q.self)
	}
	for i := range q.steps {
		s := &q.steps[i]
		if s.below {
			b.WriteString("/")
		}
		b.WriteString("/")
		if s.any {
			b.WriteString("*")
		} else {
			b.WriteString(s.kind.String())
		}
		add(s)
	}
	if q.attribute != NoAttribute {
		b.WriteString("/@" + q.attribute.String())
	}
	return b.String()
}

// String writes the predicate without the brackets.
func (p predicate) String() string {
	attribute := "@" + p.attribute.String()
	switch {
	case p.how != isEqual:
		return functions[p.how] + "(" + attribute + "," + quote(p.text) + ")"
	case p.truth:
		return attribute + "=true"
	case p.attribute.Kind() == facts.Bool:
		return attribute + "=false"
	case p.attribute.Kind() == facts.Number:
		return attribute + "=" + facts.FormatNumber(p.number)
	default:
		return attribute + "=" + quote(p.text)
	}
}

// quote puts a text into quotes that it does not hold; there is no text with
// both, since none can be written.
func quote(text string) string {
	if strings.Contains(text, "'") {
		return `"` + text + `"`
	}
	return "'" + text + "'"
}

// last is the last step of a query that has one.
func (q *Query) last() *step { return &q.steps[len(q.steps)-1] }

// ReadsTexts tells whether the texts of elements decide what the query selects.
func (q *Query) ReadsTexts() bool {
	return q.attribute == Text || len(q.self.test.costly) > 0 || slices.ContainsFunc(q.chains, func(c chain) bool { return c.text })
}

// compile prepares the query for running.
func (q *Query) compile() {
	q.self.test = compileTest(q.self.predicates, q.caseSensitive)
	q.typesLead = !q.fromPrimary && len(q.steps) > 1
	for i := range q.steps {
		s := &q.steps[i]
		s.test = compileTest(s.predicates, q.caseSensitive)
		if s.below || i == 0 {
			q.chains = append(q.chains, chain{anchored: !s.below, first: i})
		}
		c := &q.chains[len(q.chains)-1]
		c.steps = append(c.steps, s)
		c.text = c.text || len(s.test.costly) > 0
		q.typesLead = q.typesLead && (i == len(q.steps)-1 || s.test.empty())
	}
}

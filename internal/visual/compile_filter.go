package visual

import (
	"slices"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/regex"
)

// test is the filters of one step, put in the order of their cost.
type test struct {
	never        bool         // two filters contradict each other
	states, want facts.States // the states that are asked for, and how they must be
	name         *needle      // the name must equal this; nil when it is not asked for
	cheap        []clause     // all others that look at the element alone
	looks        bool         // there is a name or something cheap
	costly       []clause     // those on @text
}

// clause is one filter on a string or a number.
type clause struct {
	attribute Attribute
	how       comparison
	number    float64
	needle    *needle       // of isEqual and doesContain on strings
	re        *regex.Regexp // of doesMatch
	required  *required     // of doesMatch
}

// empty is true when every element passes.
func (t *test) empty() bool {
	return t.states == 0 && !t.looks && len(t.costly) == 0
}

func compileTest(predicates []predicate, caseSensitive bool) test {
	var t test
	for i := range predicates {
		p := &predicates[i]
		if p.attribute.Kind() == facts.Bool {
			t.addState(attributes[p.attribute].state, p.truth)
			continue
		}
		c := clause{attribute: p.attribute, how: p.how, number: p.number, re: p.re}
		if p.attribute.Kind() == facts.String && p.how != doesMatch {
			c.needle = newNeedle(p.text, caseSensitive)
		}
		if p.re != nil {
			c.required = &required{re: p.re}
		}
		switch {
		case p.attribute == Name && p.how == isEqual && t.name == nil:
			t.name = c.needle
		case p.attribute == Text:
			t.costly = append(t.costly, c)
		default:
			t.cheap = append(t.cheap, c)
		}
	}
	byCost := func(a, b clause) int { return a.cost() - b.cost() }
	slices.SortStableFunc(t.cheap, byCost)
	slices.SortStableFunc(t.costly, byCost)
	t.looks = t.name != nil || len(t.cheap) > 0
	return t
}

func (t *test) addState(state facts.States, truth bool) {
	want := facts.States(0)
	if truth {
		want = state
	}
	if t.states&state != 0 && t.want&state != want {
		t.never = true
	}
	t.states |= state
	t.want = t.want&^state | want
}

// cost orders clauses: numbers, equality, search, expressions.
func (c *clause) cost() int {
	if c.attribute.Kind() == facts.Number {
		return -1
	}
	return int(c.how)
}

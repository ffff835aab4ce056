package visual

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

// mode is what is wanted of the selected elements.
type mode uint8

const (
	finding mode = iota
	counting
	visiting
)

// run is one query on one index. It lives on the stack.
type run struct {
	budget
	query   *Query
	index   *Index
	tree    *facts.Tree
	columns *columns // nil if the index has none yet
	looks   int      // elements looked at
	mode    mode
	yield   func(element int, value facts.Value) bool
	count   int
	outcome Outcome

	reading context.Context // for texts that are read on demand; nil until the first
	stop    context.CancelFunc

	few  [8]memo // the memos of the first steps; nearly no query has more
	more []memo  // those of the others
}

// memo is the last answer about a step: whether an element passes it, and those
// above pass the steps before it. Neighbours mostly have the same parent.
type memo struct {
	element int32 // one more than its index; 0 for none yet
	ok      bool
	cursor  int32 // of a chain's first step: how far its last step's postings are done
}

func (r *run) begin(q *Query, index *Index, limits Limits) {
	r.start(limits)
	r.query, r.index, r.tree, r.columns = q, index, index.tree, index.columns.Load()
}

// memo is the memo of step k of the query.
func (r *run) memo(k int) *memo {
	if k < len(r.few) {
		return &r.few[k]
	}
	return &r.more[k-len(r.few)]
}

// path runs the whole query.
func (r *run) path() {
	r.walk()
	if r.stop != nil {
		r.stop()
	}
	if r.looks == 0 {
		return
	}
	if r.columns == nil {
		r.index.examined(r.looks)
	}
	if r.query.typesLead {
		r.index.examinedAbove(r.looks)
	}
}

func (r *run) walk() {
	q := r.query
	if len(q.steps) > len(r.few) {
		r.more = make([]memo, len(q.steps)-len(r.few))
	}
	if q.fromPrimary && r.index.primary < 0 {
		r.outcome = NoPrimary
		return
	}
	if !r.spend(1) {
		return
	}
	low, high := 0, r.tree.Len()
	if q.fromPrimary {
		low = r.index.primary
		e := r.tree.At(low)
		high = e.End
		if !r.passes(&q.self.test, e) || !r.passesText(&q.self.test, low) {
			return
		}
	}
	if len(q.chains) == 0 {
		r.emit(low)
		return
	}
	if !r.byName(low, high) && !r.byPath() {
		r.chain(0, low, high)
	}
}

// spend is take that also settles the outcome.
func (r *run) spend(steps int) bool {
	if r.take(steps) {
		return true
	}
	r.outcome = TimedOut
	return false
}

// emit takes a selected element; false means that no more is wanted.
func (r *run) emit(i int) bool {
	attribute := r.query.attribute
	if attribute != NoAttribute && !r.has(attribute, i) {
		return r.outcome == Done
	}
	switch r.mode {
	case finding:
		r.count = 1
		return false
	case counting:
		r.count++
		return true
	}
	var value facts.Value
	if attribute != NoAttribute {
		value = attribute.Of(r.within(), r.tree, i)
	}
	return r.yield(i, value)
}

// has says whether an element has an attribute.
func (r *run) has(a Attribute, i int) bool {
	e := r.tree.At(i)
	switch a.Kind() {
	case facts.Bool:
		return true
	case facts.Number:
		_, ok := a.numberOf(e)
		return ok
	}
	if a == Text {
		_, ok := r.text(i)
		return ok
	}
	_, ok := a.textOf(e)
	return ok
}

func (r *run) text(i int) (string, bool) {
	if !r.look() { // any reading may ask another program and be slow
		r.outcome = TimedOut
		return "", false
	}
	ctx := r.within()
	text, ok := r.tree.Text(ctx, i)
	if !ok && ctx.Err() != nil { // there may be one
		r.outcome = TimedOut
	}
	r.left -= len(text) / 64
	return text, ok
}

// within is the context for reading a text: it ends with the query's time.
func (r *run) within() context.Context {
	if r.reading != nil {
		return r.reading
	}
	r.reading = r.limits.Context
	if r.reading == nil {
		r.reading = context.Background()
	}
	if r.tree.ReadsTexts() && !r.deadline.IsZero() {
		r.reading, r.stop = context.WithDeadline(r.reading, r.deadline)
	}
	return r.reading
}

// passes is the part of a test that needs the element alone.
func (r *run) passes(t *test, e *facts.Element) bool {
	if t.never || e.States&t.states != t.want {
		return false
	}
	return !t.looks || r.passesRest(t, e)
}

// passesRest is passes but for the states.
func (r *run) passesRest(t *test, e *facts.Element) bool {
	if t.name != nil && !(e.HasName && t.name.equals(e.Name)) {
		return false
	}
	for i := range t.cheap {
		c := &t.cheap[i]
		if c.attribute.Kind() == facts.Number {
			if n, ok := c.attribute.numberOf(e); !ok || n != c.number {
				return false
			}
			continue
		}
		if text, ok := c.attribute.textOf(e); !ok || !r.holds(c, text) {
			return false
		}
	}
	return true
}

// passesText is the rest of a test: what needs the element's text.
func (r *run) passesText(t *test, i int) bool {
	if len(t.costly) == 0 {
		return true
	}
	text, ok := r.text(i)
	if !ok {
		return false
	}
	for k := range t.costly {
		if !r.holds(&t.costly[k], text) {
			return false
		}
	}
	return true
}

// holds compares a text as a clause wants it.
func (r *run) holds(c *clause, text string) bool {
	switch c.how {
	case isEqual:
		return c.needle.equals(text)
	case doesContain:
		return c.needle.in(text)
	}
	if !c.required.in(text) {
		return false
	}
	matched, outcome := r.match(c.re, text)
	if outcome != Done {
		r.outcome = outcome
	}
	return matched
}

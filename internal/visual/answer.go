package visual

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Limits bound the time of one query. The zero value sets no limit.
type Limits struct {
	Time     time.Duration // for the query (visualQueryTimeout of docs/reference/strategies.md); 0 for none
	Regex    time.Duration // for each regex operation (regexTimeout of docs/reference/strategies.md); 0 for none
	Deadline time.Time     // of what the query is a part of; zero for none

	// Context ends the query, as a deadline does, when whoever asked has gone;
	// nil for never.
	Context context.Context
}

// Outcome says whether an answer is one. Everything but Done means that the
// answer is not known, and what was returned with it is not to be used.
type Outcome uint8

const (
	// Done: the answer is exact.
	Done Outcome = iota
	// NoPrimary: the query starts at the primary element, and there is none.
	NoPrimary
	// TimedOut: the query's own limit or the deadline was reached.
	TimedOut
	// RegexTimedOut: a regex operation reached its limit.
	RegexTimedOut
)

// Whole says whether everything that the query can select is in the index's
// tree. If not, because the tree is a part of what is there (facts.Tree's
// MarkPartial) or texts in it are not known that the query asks for, what was
// found counts, and what was not may be there.
func (q *Query) Whole(index *Index) bool {
	if index.tree.Unread() > 0 && q.ReadsTexts() {
		return false
	}
	if index.tree.Partial() == "" || len(q.steps) == 0 {
		return true
	}
	cuts := index.tree.Cuts()
	if len(cuts) == 0 {
		return false
	}
	for _, c := range cuts {
		if q.reaches(index, int(c)) {
			return false
		}
	}
	return true
}

// reaches says whether the query can select something that is missing below an
// element.
func (q *Query) reaches(index *Index, element int) bool {
	tree := index.tree
	e := tree.At(element)
	last := q.last()
	if (last.kind == facts.TopLevelType || last.kind == facts.ScreenType) && e.Type != facts.ScreenType {
		return false // windows are in nothing but screens
	}
	from := -1
	if q.fromPrimary {
		from = index.primary
		if from < 0 || element < from || element >= tree.At(from).End {
			return false
		}
	}
	if len(q.chains) > 1 || !q.chains[0].anchored {
		return true
	}
	levels := 1 // of the missing elements below where the path starts
	for at := element; at != from; at = tree.At(at).Parent {
		if tree.At(at).Parent != -1 || tree.At(at).Type != facts.ScreenType {
			levels++
		}
	}
	return levels <= len(q.steps)
}

// String names the outcome for messages.
func (o Outcome) String() string {
	switch o {
	case NoPrimary:
		return "there is no primary element"
	case TimedOut:
		return "the query took too long"
	case RegexTimedOut:
		return "a regular expression of the query took too long"
	default:
		return "done"
	}
}

// Exists says whether the query selects anything. It stops at the first.
func (q *Query) Exists(index *Index, limits Limits) (bool, Outcome) {
	r := run{mode: finding}
	r.begin(q, index, limits)
	r.path()
	return r.count > 0, r.outcome
}

// Count is how many elements the query selects; for a query that selects an
// attribute, those that have it.
func (q *Query) Count(index *Index, limits Limits) (int, Outcome) {
	r := run{mode: counting}
	r.begin(q, index, limits)
	r.path()
	return r.count, r.outcome
}

// Visit calls yield for every selected element in document order, with the value
// of the attribute if the query selects one, until yield returns false. When the
// outcome is not Done, what was visited is a part of the answer.
func (q *Query) Visit(index *Index, limits Limits, yield func(element int, value facts.Value) bool) Outcome {
	r := run{mode: visiting, yield: yield}
	r.begin(q, index, limits)
	r.path()
	return r.outcome
}

// Select returns the selected elements, distinct and in document order; for a
// query that selects an attribute, those that have it.
func (q *Query) Select(index *Index, limits Limits) ([]int, Outcome) {
	var elements []int
	outcome := q.Visit(index, limits, func(element int, _ facts.Value) bool {
		elements = append(elements, element)
		return true
	})
	return elements, outcome
}

// Values returns the values of the attribute that the query selects, one for
// each element of [Query.Select]; nothing for a query that selects elements.
func (q *Query) Values(index *Index, limits Limits) ([]facts.Value, Outcome) {
	var values []facts.Value
	outcome := q.Visit(index, limits, func(_ int, value facts.Value) bool {
		if !value.IsAbsent() {
			values = append(values, value)
		}
		return true
	})
	return values, outcome
}

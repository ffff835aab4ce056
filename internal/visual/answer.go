package visual

import (
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Limits bound the time of one query. The zero value sets no limit.
type Limits struct {
	Time     time.Duration // for the query (visualQueryTimeout of MS §18); 0 for none
	Regex    time.Duration // for each regex operation (regexTimeout of MS §18); 0 for none
	Deadline time.Time     // of what the query is a part of; zero for none
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
func (q *Query) Exists(scene *Scene, limits Limits) (bool, Outcome) {
	var r run
	r.mode = finding
	r.begin(q, scene, limits)
	r.path()
	return r.count > 0 && r.outcome == Done, r.outcome
}

// Count is how many elements the query selects; for a query that selects an
// attribute, those that have it.
func (q *Query) Count(scene *Scene, limits Limits) (int, Outcome) {
	var r run
	r.mode = counting
	r.begin(q, scene, limits)
	r.path()
	return r.count, r.outcome
}

// Visit calls yield for every selected element in document order, with the value
// of the attribute if the query selects one, until yield returns false. When the
// outcome is not Done, what was visited is a part of the answer.
func (q *Query) Visit(scene *Scene, limits Limits, yield func(element int, value facts.Value) bool) Outcome {
	var r run
	r.mode = visiting
	r.yield = yield
	r.begin(q, scene, limits)
	r.path()
	return r.outcome
}

// Select returns the selected elements, distinct and in document order; for a
// query that selects an attribute, those that have it.
func (q *Query) Select(scene *Scene, limits Limits) ([]int, Outcome) {
	var elements []int
	outcome := q.Visit(scene, limits, func(element int, _ facts.Value) bool {
		elements = append(elements, element)
		return true
	})
	return elements, outcome
}

// Values returns the values of the attribute that the query selects, one for
// each element of [Query.Select]; nothing for a query that selects elements.
func (q *Query) Values(scene *Scene, limits Limits) ([]facts.Value, Outcome) {
	var values []facts.Value
	outcome := q.Visit(scene, limits, func(_ int, value facts.Value) bool {
		if !value.IsAbsent() {
			values = append(values, value)
		}
		return true
	})
	return values, outcome
}

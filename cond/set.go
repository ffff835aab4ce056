package cond

import (
	"context"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// Condition is one program of a set with its own time limits.
type Condition struct {
	Program *Program
	Limits  Limits
}

// Hit is a condition that holds, or one that could not be decided in
// time.
type Hit struct {
	Condition   int
	Result      Tri
	Duration    time.Duration // the time that it took, with that of results which it shares with others; conditions that were decided together divide it
	Diagnostics diag.List
}

// Walk evaluates every condition one after the other and yields those that are
// true or ran into a limit. It needs no preparation, so it is the way for a
// single match; a [Set] pays off from the second one on.
func Walk(ctx context.Context, conditions []Condition, ev *Evaluation, yield func(Hit)) {
	var list diag.List
	var waiting []int32
	ev.within = ctx
	start := time.Now()
	told := func(i int, result Tri) {
		if result == True || len(list) > 0 {
			now := time.Now()
			yield(Hit{Condition: i, Result: result, Duration: now.Sub(start) + ev.charged, Diagnostics: list})
			list, start = nil, now
		}
	}
	skip := func(i int32) {
		yield(Hit{Condition: int(i), Diagnostics: diag.List{ev.OutOfBudget(conditions[i].Program)}})
	}
	for i := range conditions {
		if ctx.Err() != nil {
			return
		}
		switch {
		case ev.mayBeSlow(conditions[i].Program.pace):
			waiting = append(waiting, int32(i))
			continue
		case i%programsPerLook == programsPerLook-1 && ev.Left() <= 0:
			for ; i < len(conditions); i++ {
				waiting = append(waiting, int32(i))
			}
			for _, i := range waiting {
				skip(i)
			}
			return
		}
		told(i, conditions[i].Program.Eval(ev, conditions[i].Limits, &list))
	}
	ev.turns(ctx, waiting, func(i int32) Limits { return conditions[i].Limits.Or(DefaultLimits()) }, func(i int32, limits Limits, cut bool) bool {
		start = time.Now()
		result := conditions[i].Program.Eval(ev, limits, &list)
		if ev.expired && cut {
			list = nil
			return false
		}
		told(int(i), result)
		return true
	}, skip)
}

// Set is many programs compiled together: equal predicates are one atom, which
// is evaluated at most once for a snapshot, and a condition is looked at only if a
// predicate that it cannot do without may hold. A Set is immutable and safe for
// concurrent use; it answers exactly as [Walk] does.
type Set struct {
	size int

	atoms   []atom
	code    []instruction // of all conditions, one after the other
	first   []int32       // where each condition's code begins; one more for the end
	origins origins
	limits  []Limits // distinct ones
	limit   []int32  // for each condition: which of them
	pace    []pace   // for each condition

	conditions []Condition

	access accessIndex
	pool   sync.Pool // *matching
}

// NewSet compiles conditions together. The conditions belong to the set from now on.
func NewSet(conditions []Condition) *Set {
	s := &Set{size: len(conditions), conditions: conditions, pace: make([]pace, len(conditions))}
	for i := range conditions {
		s.pace[i] = conditions[i].Program.pace
	}
	l := link(s, conditions)
	s.access = newAccessIndex(s, l.uses)
	s.pool.New = func() any { return newMatching(s) }
	return s
}

// Match yields the conditions that are true, and those that ran into a limit, in
// no particular order.
func (s *Set) Match(ctx context.Context, ev *Evaluation, yield func(Hit)) {
	m := s.pool.Get().(*matching)
	defer s.pool.Put(m)
	began := time.Now()
	m.begin(ev)
	if ev.texts == nil {
		ev.texts = m.texts
		defer func() { ev.texts = nil; m.texts.forget() }()
	}
	ev.within = ctx
	m.gather(ctx)
	m.decide(ctx, began, yield)
	m.end()
}

// opcode is what an instruction does.
type opcode uint8

const (
	opTrue opcode = iota
	opFalse
	opNull // a path that no schema knows
	opAtom
	opAll
	opAny
	opNone
)

// instruction is a node of a condition in prefix form.
type instruction struct {
	op  opcode
	arg int32 // opAtom: which one; composites: the instruction after their last child
}

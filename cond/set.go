package cond

import (
	"context"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// Member is one program of a set with its own time limits.
type Member struct {
	Program *Program
	Limits  Limits
}

// Hit is a member whose condition holds, or one that could not be decided in
// time.
type Hit struct {
	Member      int
	Result      Tri
	Duration    time.Duration // what it took, and what it took others to come to what they share; members that were decided together divide it
	Diagnostics diag.List
}

// Walk evaluates every member one after the other and yields those that are
// true or ran into a limit. It needs no preparation, so it is the way for a
// single match; a [Set] pays off from the second one on.
func Walk(ctx context.Context, members []Member, ev *Evaluation, yield func(Hit)) {
	var list diag.List
	var waiting []int32
	ev.within = ctx
	start := time.Now()
	told := func(i int, result Tri) {
		if result == True || len(list) > 0 {
			now := time.Now()
			yield(Hit{Member: i, Result: result, Duration: now.Sub(start) + ev.charged, Diagnostics: list})
			list, start = nil, now
		}
	}
	skip := func(i int32) { yield(Hit{Member: int(i), Diagnostics: diag.List{ev.OutOfBudget(members[i].Program)}}) }
	for i := range members {
		if ctx.Err() != nil {
			return
		}
		switch {
		case ev.mayBeSlow(members[i].Program.pace):
			waiting = append(waiting, int32(i))
			continue
		case i%programsPerLook == programsPerLook-1 && ev.Left() <= 0:
			for ; i < len(members); i++ {
				waiting = append(waiting, int32(i))
			}
			for _, i := range waiting {
				skip(i)
			}
			return
		}
		told(i, members[i].Program.Eval(ev, members[i].Limits, &list))
	}
	ev.turns(ctx, waiting, func(i int32) Limits { return members[i].Limits.Or(DefaultLimits()) }, func(i int32, limits Limits, cut bool) bool {
		start = time.Now()
		result := members[i].Program.Eval(ev, limits, &list)
		if ev.expired && cut {
			list = nil
			return false
		}
		told(int(i), result)
		return true
	}, skip)
}

// Set is many programs compiled together: equal predicates are one atom, which
// is evaluated at most once for a snapshot, and a member is looked at only if a
// predicate that it cannot do without may hold. A Set is immutable and safe for
// concurrent use; it answers exactly as [Walk] does.
type Set struct {
	size int

	atoms   []atom
	code    []instruction // of all members, one after the other
	first   []int32       // where each member's code begins; one more for the end
	origins origins
	limits  []Limits // distinct ones
	limit   []int32  // for each member: which of them
	pace    []pace   // for each member

	members []Member

	access accessIndex
	pool   sync.Pool // *matching
}

// NewSet compiles members together. The members belong to the set from now on.
func NewSet(members []Member) *Set {
	s := &Set{size: len(members), members: members, pace: make([]pace, len(members))}
	for i := range members {
		s.pace[i] = members[i].Program.pace
	}
	l := link(s, members)
	s.access = newAccessIndex(s, l.uses)
	s.pool.New = func() any { return newMatching(s) }
	return s
}

// Len is the number of members.
func (s *Set) Len() int { return s.size }

// Match yields the members that are true, and those that ran into a limit, in
// no particular order.
func (s *Set) Match(ctx context.Context, ev *Evaluation, yield func(Hit)) {
	m := s.pool.Get().(*matching)
	defer s.pool.Put(m)
	began := time.Now()
	m.begin(ev)
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

// instruction is a node of a member's condition in prefix form.
type instruction struct {
	op  opcode
	arg int32 // opAtom: which one; composites: the instruction behind their last child
}

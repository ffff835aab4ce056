package cond

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// matching is the working memory of one match against a set. It is reused: a
// number that grows with every match tells what belongs to the current one.
type matching struct {
	set       *Set
	ev        *Evaluation
	epoch     uint32
	memo      []uint32 // for each atom: epoch<<2 | result
	condition []uint32 // for each condition: the epoch in which it became a hit or candidate
	bucket    []uint32 // for each bucket of the index: the epoch in which it fired

	hits       []int32             // conditions that are true
	candidates []int32             // conditions that are left to be decided
	waiting    []int32             // those of them that may be slow
	problems   map[int32]diag.List // of atoms that ran into a limit
	prices     map[int32]price     // of atoms that took so long that it counts
	list       diag.List           // of the condition that is decided now
	own        diag.List           // of the atom that is evaluated now
	scratch    []byte              // for keys of the index
	texts      *texts              // for evaluations that have none
}

func newMatching(s *Set) *matching {
	return &matching{
		set:       s,
		memo:      make([]uint32, len(s.atoms)),
		condition: make([]uint32, s.size),
		bucket:    make([]uint32, len(s.access.start)), // the last one is of none
		texts:     newTexts(),
	}
}

func (m *matching) begin(ev *Evaluation) {
	m.ev = ev
	m.epoch++
	if m.epoch == 1<<30 { // epochs are used up: forget everything
		m.epoch = 1
		clear(m.memo)
		clear(m.condition)
		clear(m.bucket)
	}
	m.hits, m.candidates = m.hits[:0], m.candidates[:0]
	clear(m.problems)
	clear(m.prices)
}

func (m *matching) end() { m.ev = nil }

// candidate puts a condition on the list of those that are left, once.
func (m *matching) candidate(condition int32) {
	if m.condition[condition] != m.epoch {
		m.condition[condition] = m.epoch
		m.candidates = append(m.candidates, condition)
	}
}

// hit puts a condition on the list of those that are true, once.
func (m *matching) hit(condition int32) {
	if m.condition[condition] != m.epoch {
		m.condition[condition] = m.epoch
		m.hits = append(m.hits, condition)
	}
}

// decide yields what the index found and evaluates the candidates.
func (m *matching) decide(ctx context.Context, began time.Time, yield func(Hit)) {
	found := len(m.hits) + len(m.candidates)
	if found == 0 {
		return
	}
	start := time.Now()
	share := start.Sub(began) / time.Duration(found)
	for i, condition := range m.hits {
		if i%256 == 255 && ctx.Err() != nil {
			return
		}
		yield(Hit{Condition: int(condition), Result: True, Duration: share})
	}
	if len(m.candidates) > 0 {
		m.evaluate(ctx, start, share, yield)
	}
}

// evaluate decides the candidates. Before it began, each had its share of the time.
func (m *matching) evaluate(ctx context.Context, start time.Time, share time.Duration, yield func(Hit)) {
	told := func(condition int32, result Tri) {
		if result == True || len(m.list) > 0 {
			now := time.Now()
			yield(Hit{Condition: int(condition), Result: result, Duration: share + now.Sub(start) + m.ev.charged, Diagnostics: m.list})
			m.list, start = nil, now
		}
	}
	skip := func(condition int32) {
		yield(Hit{Condition: int(condition), Diagnostics: diag.List{m.ev.OutOfBudget(m.set.conditions[condition].Program)}})
	}
	m.waiting = m.waiting[:0]
	for i, condition := range m.candidates {
		switch {
		case m.ev.mayBeSlow(m.set.pace[condition]):
			m.waiting = append(m.waiting, condition)
			continue
		case i%programsPerLook == programsPerLook-1:
			if ctx.Err() != nil {
				return
			}
			if m.ev.Left() <= 0 {
				for _, condition := range append(m.waiting, m.candidates[i:]...) {
					skip(condition)
				}
				return
			}
		}
		m.ev.start(m.set.limits[m.set.limit[condition]], &m.list)
		result, _ := m.run(m.set.first[condition])
		told(condition, result)
	}
	limits := func(condition int32) Limits { return m.set.limits[m.set.limit[condition]] }
	m.ev.turns(ctx, m.waiting, limits, func(condition int32, limits Limits, cut bool) bool {
		start = time.Now()
		m.ev.start(limits, &m.list)
		result, _ := m.run(m.set.first[condition])
		if m.ev.expired {
			if cut {
				m.list = nil
				return false
			}
			result = Null
		}
		told(condition, result)
		return true
	}, skip)
}

// run evaluates the condition at an instruction and returns where the next one
// begins.
func (m *matching) run(at int32) (Tri, int32) {
	in := m.set.code[at]
	switch in.op {
	case opTrue:
		return True, at + 1
	case opFalse:
		return False, at + 1
	case opNull:
		return Null, at + 1
	case opAtom:
		return m.atom(in.arg, at), at + 1
	case opAll:
		result := True
		for next := at + 1; next < in.arg; {
			var r Tri
			r, next = m.run(next)
			if result = result.and(r); result == False || m.ev.expired {
				break
			}
		}
		return result, in.arg
	}
	result := False
	for next := at + 1; next < in.arg; {
		var r Tri
		r, next = m.run(next)
		if result = result.or(r); result == True || m.ev.expired {
			break
		}
	}
	if in.op == opNone {
		result = result.Not()
	}
	return result, in.arg
}

// atom returns the result of an atom, evaluated once. at is the instruction
// that asks, at whose position a problem is reported; -1: nobody does.
func (m *matching) atom(i, at int32) Tri {
	if known := m.memo[i]; known>>2 == m.epoch {
		if len(m.prices) > 0 && at >= 0 && !m.ev.pay(m.prices[i]) {
			return m.ev.expire(m.set.origins.of(at), nil)
		}
		if len(m.problems) > 0 {
			m.report(m.problems[i], i, at)
		}
		return Tri(known & 3)
	}
	if m.quick(i) {
		return Tri(m.memo[i] & 3)
	}
	if len(m.prices) > 0 && at >= 0 && m.ev.hopeless(m.prices[i]) {
		return m.ev.expire(m.set.origins.of(at), nil)
	}
	wanted := m.ev.diagnosed
	m.own = nil
	m.ev.diagnosed = &m.own
	start := m.ev.now()
	left := m.ev.left(start)
	result := m.slow(&m.set.atoms[i])
	took := m.ev.now().Sub(start)
	m.ev.diagnosed = wanted
	if m.ev.expired { // the condition's own limit says nothing about other conditions
		m.price(i, price{left, true})
		m.report(m.own, i, at)
		return result
	}
	m.memo[i] = m.epoch<<2 | uint32(result)
	if took > m.set.limits[m.set.atoms[i].limits].Matching/negligible {
		m.price(i, price{time: took})
	}
	if len(m.own) > 0 {
		if m.problems == nil {
			m.problems = map[int32]diag.List{}
		}
		m.problems[i] = m.own
		m.report(m.own, i, at)
	}
	return result
}

// negligible is which part of a condition's time is too little to be counted.
const negligible = 1024

func (m *matching) price(i int32, p price) {
	if m.prices == nil {
		m.prices = map[int32]price{}
	}
	m.prices[i] = p
}

// costly tells whether an atom took so long that it counts.
func (m *matching) costly(i int32) bool {
	if len(m.prices) == 0 {
		return false
	}
	_, known := m.prices[i]
	return known
}

// expensive leaves it to the conditions themselves whether they hold that have
// become hits since, because what made them so is not for free.
func (m *matching) expensive(since int) {
	m.candidates = append(m.candidates, m.hits[since:]...)
	m.hits = m.hits[:since]
}

// report adds problems of atom i at the position of the condition that asks.
func (m *matching) report(problems diag.List, i, at int32) {
	if len(problems) == 0 || at < 0 {
		return
	}
	n := m.set.origins.of(at)
	for _, d := range problems {
		if n != m.set.atoms[i].node { // it is about the same predicate elsewhere
			d.Source, d.Span = n.expr.node.Source(), n.expr.node.Span()
		}
		m.list.Add(d)
	}
}

// quick evaluates an atom that cannot run into a limit; false means that it
// may.
func (m *matching) quick(i int32) bool {
	a := &m.set.atoms[i]
	if a.slow && !a.items {
		return false
	}
	v := m.ev.snapshot.At(a.path())
	if a.items && len(v.Items()) >= longArray {
		return false
	}
	m.ev.overdue = false
	m.memo[i] = m.epoch<<2 | uint32(m.apply(a, v))
	return true
}

func (m *matching) apply(a *atom, v facts.Value) Tri {
	if v.IsAbsent() {
		return Null
	}
	result, applies := m.ev.apply(a.node, a.pred, v, stored(a.path()), nil)
	if !applies {
		return False
	}
	return result
}

func (m *matching) slow(a *atom) Tri {
	m.ev.condition, m.ev.overdue = time.Time{}, false
	if a.pred == nil {
		return m.ev.node(a.node, nil)
	}
	return m.apply(a, m.ev.snapshot.At(a.path()))
}

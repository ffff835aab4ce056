package cond

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/visual"
)

// gather finds the conditions that are true, and the candidates that are left to
// be decided.
func (m *matching) gather(ctx context.Context) {
	ix := &m.set.access
	for _, condition := range ix.always {
		m.candidate(condition)
	}
	for i := range ix.tables {
		m.table(&ix.tables[i])
	}
	for i, t := range ix.truths {
		if ctx.Err() != nil {
			return
		}
		limits := m.set.limits[m.set.atoms[t.atom].limits]
		a := &m.set.atoms[t.atom]
		timed := a.slow && !a.items && m.ev.budget > 0
		var before time.Duration
		if timed {
			share := m.ev.firstShare(len(ix.truths) - i)
			if share <= 0 {
				m.suspect(t.bucket)
				continue
			}
			limits.Matching = min(limits.Matching, share) // its conditions have more
			before = m.ev.Left()
		}
		m.ev.start(limits, nil)
		result := m.atom(t.atom, -1)
		if timed {
			m.ev.ranOver(before - m.ev.Left() - limits.Matching)
		}
		switch {
		case m.costly(t.atom) || len(m.problems[t.atom]) > 0:
			m.suspect(t.bucket)
		case result == True:
			m.fire(t.bucket)
		}
	}
}

// fire checks a bucket's conditions.
func (m *matching) fire(bucket int32) {
	if m.bucket[bucket] == m.epoch {
		return
	}
	m.bucket[bucket] = m.epoch
	ix := &m.set.access
	entries := ix.entries[ix.start[bucket]:ix.start[bucket+1]]
	for len(entries) > 0 {
		condition, size := entries[0], entries[1]
		entries = entries[2:]
		if size == wholly {
			m.candidate(condition)
			continue
		}
		switch m.conjunction(entries[:size]) {
		case True:
			m.hit(condition)
		case Null:
			m.candidate(condition)
		}
		entries = entries[size:]
	}
}

// conjunction tells whether all atoms are true. Null means that this must be
// found out with the limits of the condition.
func (m *matching) conjunction(atoms []int32) Tri {
	for _, i := range atoms {
		if i >= 0 {
			known := m.memo[i]
			if known>>2 != m.epoch {
				if !m.quick(i) {
					return Null
				}
				known = m.memo[i]
			}
			if Tri(known&3) != True {
				return False
			}
			continue
		}
		known := m.memo[^i]
		if known>>2 != m.epoch || len(m.problems[^i]) > 0 || m.costly(^i) {
			return Null
		}
		if Tri(known&3) != True {
			return False
		}
	}
	return True
}

// suspect makes candidates of a bucket's conditions, for what the index cannot
// tell.
func (m *matching) suspect(bucket int32) {
	m.bucket[bucket] = m.epoch
	ix := &m.set.access
	for at, end := ix.start[bucket], ix.start[bucket+1]; at < end; {
		m.candidate(ix.entries[at])
		at += 2 + max(0, ix.entries[at+1])
	}
}

func (m *matching) suspectAll(t *table) {
	for _, bucket := range t.buckets {
		m.suspect(bucket)
	}
}

// table fires what the values of a path or query ask for.
func (m *matching) table(t *table) {
	if t.path == nil {
		m.queryTable(t)
		return
	}
	v := m.ev.snapshot.At(t.path)
	switch v.Kind() {
	case facts.Absent:
	case facts.Array:
		if t.path.Kind != facts.Array {
			m.suspectAll(t) // not what the schema says: leave it to the conditions
			return
		}
		hits := len(m.hits)
		for _, item := range v.Items() {
			m.single(t, item, nil)
		}
		if len(v.Items()) >= longArray {
			m.expensive(hits)
		}
	default:
		if t.path.Kind == facts.Array {
			m.suspectAll(t)
			return
		}
		m.single(t, v, stored(t.path))
	}
}

// single fires what one value asks for. at is its path when it stands in the
// snapshot itself.
func (m *matching) single(t *table, v facts.Value, at *facts.Path) {
	switch v.Kind() {
	case facts.String:
		if at != nil && t.parts() {
			for _, e := range t.grams.few {
				if m.ev.holds(at, v.Text(), e.text) {
					m.fire(e.bucket)
				}
			}
		} else if at != nil {
			m.text(t, m.ev.fold(at, v.Text()))
		} else if t.equalOnly() && len(v.Text()) <= shortItem {
			m.scratch = glob.AppendFold(m.scratch[:0], v.Text())
			if bucket, ok := t.equal[string(m.scratch)]; ok {
				m.fire(bucket)
			}
		} else {
			m.text(t, m.ev.foldItem(v.Text()))
		}
	case facts.Number, facts.Bool:
		m.scratch = scalarKey(m.scratch[:0], v)
		if bucket, ok := t.equal[string(m.scratch)]; ok {
			m.fire(bucket)
		}
	case facts.Array, facts.Object:
		m.suspectAll(t)
	}
}

func (m *matching) text(t *table, text string) {
	if len(text) <= t.longest {
		if bucket, ok := t.equal[text]; ok {
			m.fire(bucket)
		}
	}
	for _, n := range t.prefixes.sizes {
		if n > len(text) {
			break
		}
		if bucket, ok := t.prefixes.keys[text[:n]]; ok {
			m.fire(bucket)
		}
	}
	for _, n := range t.suffixes.sizes {
		if n > len(text) {
			break
		}
		if bucket, ok := t.suffixes.keys[text[len(text)-n:]]; ok {
			m.fire(bucket)
		}
	}
	if t.grams != nil && !t.grams.scan(text, m.fire) {
		m.suspectAll(t)
	}
}

// queryTable asks the query once for all its conditions. Where there is no answer,
// the conditions are asked, so that the reason is told.
func (m *matching) queryTable(t *table) {
	index := m.ev.tree()
	if index == nil {
		return
	}
	a := &m.set.atoms[t.query]
	l := &m.set.limits[a.limits]
	limits := visual.Limits{Time: min(l.VisualQuery, l.Matching), Regex: l.Regex, Context: m.ev.within}
	if m.ev.budget > 0 {
		share := m.ev.firstShare(len(m.set.access.tables))
		if share <= 0 {
			m.suspectAll(t)
			return
		}
		limits.Time = min(limits.Time, share)
	}
	start := m.ev.now()
	if m.ev.clock != nil && !m.ev.clock.take(a.node.expr.query.text, limits.Time) {
		m.ev.ranOver(m.ev.now().Sub(start) - limits.Time)
		m.suspectAll(t)
		return
	}
	hits := len(m.hits)
	outcome := a.node.query.Visit(index, limits, func(_ int, v facts.Value) bool {
		m.single(t, v, nil)
		return true
	})
	if outcome == visual.TimedOut || outcome == visual.RegexTimedOut {
		m.suspectAll(t)
	}
	took := m.ev.now().Sub(start)
	m.ev.ranOver(took - limits.Time)
	if took > l.Matching/negligible {
		m.expensive(hits)
	}
}

package cond

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Steps stands in for the clock: time passes only in slow operations, and they
// take what Cost says.
type Steps struct {
	Cost func(what string) time.Duration
	Look func() // called when somebody looks at the clock; may be nil
	// Early is by how much what reaches a limit stops before it; negative: after it.
	Early time.Duration
	gone  time.Duration
}

// Use makes an evaluation go by the steps.
func (s *Steps) Use(ev *Evaluation) *Evaluation {
	ev.clock = s
	return ev
}

func (s *Steps) now() time.Time {
	if s.Look != nil {
		s.Look()
	}
	return time.Unix(1, 0).Add(s.gone)
}

func (s *Steps) take(what string, limit time.Duration) bool {
	cost := s.Cost(what)
	if cost > limit {
		s.gone += limit - min(s.Early, limit/2)
		return false
	}
	s.gone += cost
	return true
}

// MatchWatched is [Set.Match] that also counts, by name, the ways that the index
// took: which lookups found something, and what was left to check then.
func (s *Set) MatchWatched(ctx context.Context, ev *Evaluation, ways map[string]int, yield func(Hit)) {
	m := newMatching(s)
	m.begin(ev)
	ev.within = ctx
	m.gather(ctx)
	ways["always looked at"] += len(s.access.always)
	ways["decided by the index"] += len(m.hits)
	ways["left to the condition"] += len(m.candidates)
	for i := range s.access.tables {
		s.access.tables[i].watch(m, ways)
	}
	for _, t := range s.access.truths {
		if m.bucket[t.bucket] == m.epoch {
			ways["truth of an atom"]++
			m.watchBucket(t.bucket, ways)
		}
	}
	m.decide(ctx, time.Now(), yield)
}

// watch counts the buckets of a table that fired.
func (t *table) watch(m *matching, ways map[string]int) {
	of, suspected := "query: ", false
	if t.path != nil {
		of = "path: "
		v := m.ev.snapshot.At(t.path)
		suspected = !v.IsAbsent() && (v.Kind() == facts.Array) != (t.path.Kind == facts.Array) || v.Kind() == facts.Object
		if t.path.Kind == facts.Array {
			of = "items: "
			for _, item := range v.Items() {
				suspected = suspected || item.Kind() == facts.Array || item.Kind() == facts.Object
			}
		}
	}
	if suspected {
		ways[of+"value of another kind"]++
		return
	}
	fired := func(name string, buckets ...int32) {
		for _, b := range buckets {
			if m.bucket[b] == m.epoch {
				ways[of+name]++
				m.watchBucket(b, ways)
			}
		}
	}
	for key, bucket := range t.equal {
		switch {
		case key == "":
			fired("equal to nothing", bucket)
		case key[0] == 0xFF:
			fired("equal number or boolean", bucket)
		default:
			fired("equal text", bucket)
		}
	}
	for _, bucket := range t.prefixes.keys {
		fired("prefix", bucket)
	}
	for _, bucket := range t.suffixes.keys {
		fired("suffix", bucket)
	}
	if t.grams == nil {
		return
	}
	for _, e := range t.grams.few {
		fired("one of few parts", e.bucket)
	}
	for size, grams := range t.grams.tables {
		if grams == nil {
			continue
		}
		for _, list := range grams.texts {
			for _, e := range list {
				fired(fmt.Sprintf("part by a gram of %d", size+1), e.bucket)
				if len(list) > 1 {
					fired("part by a gram of several", e.bucket)
				}
				if e.offset > 0 {
					fired("part by a gram within", e.bucket)
				}
			}
		}
	}
}

func (m *matching) watchBucket(bucket int32, ways map[string]int) {
	ix := &m.set.access
	entries := ix.entries[ix.start[bucket]:ix.start[bucket+1]]
	for len(entries) > 0 {
		size := entries[1]
		rest := entries[2 : 2+max(0, size)]
		switch {
		case size == wholly:
			ways["entry: the whole condition"]++
		case size == 0:
			ways["entry: nothing"]++
		case rest[len(rest)-1] < 0:
			ways["entry: slow atoms"]++
		default:
			ways["entry: cheap atoms"]++
		}
		entries = entries[2+len(rest):]
	}
}

// TriOf is the result of a plain condition.
func TriOf(b bool) Tri { return triOf(b) }

// Aged matches by one working memory, whose epochs are used up after every match.
func (s *Set) Aged() func(ev *Evaluation, yield func(Hit)) {
	m := newMatching(s)
	return func(ev *Evaluation, yield func(Hit)) {
		m.begin(ev)
		ev.within = context.Background()
		m.gather(ev.within)
		m.decide(ev.within, time.Now(), yield)
		m.end()
		m.epoch = 1<<30 - 1
	}
}

// Form writes a condition as it is understood.
func (e *Expr) Form() string {
	var b strings.Builder
	e.form(&b)
	return b.String()
}

func (e *Expr) form(b *strings.Builder) {
	b.WriteString([]string{"const", "all", "any", "none", "field", "visual", "not"}[e.kind])
	switch e.kind {
	case exprConst:
		fmt.Fprintf(b, " %v", e.value)
	case exprField:
		fmt.Fprintf(b, " %q", e.path)
		if e.known != nil {
			b.WriteString(" known as " + e.known.Canonical())
		}
		if e.relative {
			b.WriteString(" of an item")
		}
	case exprVisual:
		fmt.Fprintf(b, " %s %q", e.query.kind, e.query.text)
	}
	if e.caseSensitive {
		b.WriteString(" with case")
	}
	if e.ownCase {
		b.WriteString(" of its own")
	}
	for i := range e.operators {
		b.WriteString("; ")
		e.operators[i].form(b)
	}
	if len(e.children) == 0 {
		return
	}
	b.WriteString(" (")
	for i, child := range e.children {
		if i > 0 {
			b.WriteString(", ")
		}
		child.form(b)
	}
	b.WriteString(")")
}

func (o *operator) form(b *strings.Builder) {
	b.WriteString(o.op.String())
	for _, v := range o.values {
		data, _ := v.MarshalJSON()
		fmt.Fprintf(b, " %s", data)
	}
	if o.text != "" {
		fmt.Fprintf(b, " %q", o.text)
	}
	if bounds := o.bounds.String(); bounds != "" {
		b.WriteString(" " + bounds)
	}
	if o.item != nil {
		b.WriteString(" {")
		o.item.form(b)
		b.WriteString("}")
	}
}

// Kept is the evaluation that a set's working memory holds on to between two matches.
func (s *Set) Kept() *Evaluation {
	m := s.pool.Get().(*matching)
	defer s.pool.Put(m)
	return m.ev
}

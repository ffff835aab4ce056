package cond

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Plan writes how a set looks for its conditions: what they share, by which
// values each is found, and what is left to check then.
func Plan(conditions []Condition) string {
	s := NewSet(conditions)
	again := &Set{size: len(conditions), conditions: conditions}
	l := link(again, conditions)
	f := newAccessFinder(again, l.uses)
	var b strings.Builder
	for i := range s.atoms {
		a := &s.atoms[i]
		what := "all of it"
		if a.pred != nil {
			what = a.pred.label()
		}
		var name string
		if a.node.expr.query != nil {
			name = a.node.expr.query.text
		} else {
			name = a.path().Canonical()
		}
		fmt.Fprintf(&b, "atom %d: %s %s, used %d, limits %d", i, name, what, l.uses[i], a.limits)
		for _, is := range []struct {
			so   bool
			name string
		}{{a.slow, "slow"}, {a.items, "by its items"}, {a.searches(), "searching"}} {
			if is.so {
				b.WriteString(", " + is.name)
			}
		}
		w := f.byAtom[i]
		fmt.Fprintf(&b, "; weight %.4g, ways %d, exact %d\n", w.weight, len(w.list), w.exact)
	}
	for i := range s.size {
		fmt.Fprintf(&b, "condition %d: pace %d, limits %d, code", i, s.pace[i], s.limit[i])
		for _, in := range s.code[s.first[i]:s.first[i+1]] {
			fmt.Fprintf(&b, " %s", []string{"true", "false", "null", "atom", "all", "any", "none"}[in.op])
			if in.op >= opAtom {
				fmt.Fprintf(&b, ":%d", in.arg)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "origins %v, of %d\n", s.origins.at, len(s.origins.nodes))
	s.access.plan(&b)
	return b.String()
}

func (ix *accessIndex) plan(b *strings.Builder) {
	fmt.Fprintf(b, "always %v\n", ix.always)
	for _, t := range ix.truths {
		fmt.Fprintf(b, "truth of %d: %s\n", t.atom, ix.bucket(t.bucket))
	}
	for i := range ix.tables {
		t := &ix.tables[i]
		if t.path != nil {
			fmt.Fprintf(b, "table of %s:", t.path.Canonical())
		} else {
			fmt.Fprintf(b, "table of the query of atom %d:", t.query)
		}
		fmt.Fprintf(b, " longest %d, buckets %v, equal only %v, few parts only %v\n", t.longest, t.buckets, t.equalOnly(), t.parts())
		ix.keys(b, "equal", t.equal)
		ix.keys(b, fmt.Sprint("prefix ", t.prefixes.sizes), t.prefixes.keys)
		ix.keys(b, fmt.Sprint("suffix ", t.suffixes.sizes), t.suffixes.keys)
		if t.grams != nil {
			t.grams.plan(b, ix)
		}
	}
}

func (ix *accessIndex) keys(b *strings.Builder, how string, keys map[string]int32) {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		fmt.Fprintf(b, "  %s %q: %s\n", how, key, ix.bucket(keys[key]))
	}
}

func (g *gramIndex) plan(b *strings.Builder, ix *accessIndex) {
	few := map[string]int32{}
	for _, e := range g.few {
		few[e.text] = e.bucket
	}
	ix.keys(b, "part", few)
	for i, t := range g.tables {
		if t == nil {
			continue
		}
		set := 0
		for _, word := range t.filter {
			set += bits.OnesCount64(word)
		}
		fmt.Fprintf(b, "  grams %d: of %d bytes, mask %x, %d bits\n", i, t.size, t.mask, set)
		var lines []string
		for key, list := range t.texts {
			for _, e := range list {
				lines = append(lines, fmt.Sprintf("  part %q by %x at %d: %s\n", e.text, key, e.offset, ix.bucket(e.bucket)))
			}
		}
		slices.Sort(lines)
		b.WriteString(strings.Join(lines, ""))
	}
}

// bucket writes the entries of a bucket.
func (ix *accessIndex) bucket(bucket int32) string {
	var out []string
	entries := ix.entries[ix.start[bucket]:ix.start[bucket+1]]
	for len(entries) > 0 {
		size := entries[1]
		if size == wholly {
			out = append(out, fmt.Sprintf("%d whole", entries[0]))
			entries = entries[2:]
			continue
		}
		out = append(out, fmt.Sprintf("%d if %v", entries[0], entries[2:2+size]))
		entries = entries[2+size:]
	}
	return strings.Join(out, ", ")
}

// Log stands in for the clock as [Steps] does, and writes down what was slow and
// how much time it had.
type Log struct {
	Cost    func(what string) time.Duration
	PerLook time.Duration // what a look at the clock takes
	Late    time.Duration // by which what reaches its limit ends after it
	Lines   []string
	gone    time.Duration
}

// Use makes an evaluation go by the log.
func (l *Log) Use(ev *Evaluation) *Evaluation {
	ev.clock = l
	return ev
}

func (l *Log) now() time.Time {
	l.gone += l.PerLook
	return time.Unix(1, 0).Add(l.gone)
}

func (l *Log) take(what string, limit time.Duration) bool {
	cost := l.Cost(what)
	l.Lines = append(l.Lines, fmt.Sprintf("at %s %s: %s of %s", l.gone, what, cost, limit))
	if cost > limit {
		l.gone += limit + l.Late
		return false
	}
	l.gone += cost
	return true
}

// Charged is what the last program paid for results of others, and Spare what
// explain has left.
func (ev *Evaluation) Charged() (charged, spare time.Duration) { return ev.charged, ev.spare }

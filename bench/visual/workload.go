// Package visual is the workload of asking queries about a tree of elements:
// [Run].
package visual

import (
	"fmt"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
)

// engine answers the queries it was made for, in their order: how many elements
// each selects, or 1 if it selects any.
type engine struct {
	name   string
	count  func(out []int)
	exists func(out []int)
}

var sizes = []int{1_000, 10_000, 100_000}

// Run measures the four queries alone and twenty at once.
func Run(b *measure.Bench) error {
	for _, n := range sizes {
		d := newDesktop(n)
		for _, q := range singles {
			if err := compare(b, d, n, q.String(), []query{q}); err != nil {
				return err
			}
		}
		if err := compare(b, d, n, "20 queries", twenty); err != nil {
			return err
		}
	}
	return nil
}

func compare(b *measure.Bench, d *desktop, n int, name string, queries []query) error {
	if b.Late(fmt.Sprintf("%s, n = %d", name, n), time.Duration(n)*20*time.Microsecond) { // what peers take to prepare
		return nil
	}
	makers := []func(*desktop, []query) (engine, error){pertain, pertainFirst, antchfx, recursive}
	engines := make([]engine, len(makers))
	for i, maker := range makers {
		e, err := maker(d, queries)
		if err != nil {
			return err
		}
		engines[i] = e
	}
	selected, err := agree(engines, queries)
	if err != nil {
		return err
	}
	out := make([]int, len(queries))
	counting := func(e engine) measure.Engine {
		return measure.Engine{Name: e.name, Run: func(int) { e.count(out) }}
	}
	finding := func(e engine) measure.Engine {
		return measure.Engine{Name: e.name, Run: func(int) { e.exists(out) }}
	}
	own, first, peers := engines[0], engines[1], engines[2:]
	b.Compare(measure.Case{Name: "count " + name, N: n, Matches: selected}, counting(own), each(peers, counting)...)
	b.Compare(measure.Case{Name: "exists " + name, N: n, Matches: selected}, finding(own), each(peers, finding)...)
	b.Compare(measure.Case{Name: "first count " + name, N: n, Matches: selected}, counting(first), each(peers, counting)...)
	return nil
}

func each(engines []engine, timed func(engine) measure.Engine) []measure.Engine {
	out := make([]measure.Engine, len(engines))
	for i, e := range engines {
		out[i] = timed(e)
	}
	return out
}

// agree compares the answers and returns how many elements are selected in all.
func agree(engines []engine, queries []query) (selected int, err error) {
	answers := func(e engine) (counts, exists []int) {
		counts, exists = make([]int, len(queries)), make([]int, len(queries))
		e.count(counts)
		e.exists(exists)
		return counts, exists
	}
	counts, exists := answers(engines[0])
	for _, e := range engines[1:] {
		c, x := answers(e)
		for i, q := range queries {
			if c[i] != counts[i] || x[i] != exists[i] || exists[i] != number(counts[i] > 0) {
				return 0, fmt.Errorf("pertain and %s disagree about %s: %d and %d", e.name, q, counts[i], c[i])
			}
		}
	}
	for _, c := range counts {
		selected += c
	}
	return selected, nil
}

// Package match is the workload of matching many conditions against a context:
// [Run].
package match

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
)

// engine decides which conditions hold in a context.
type engine struct {
	name  string
	match func(context int, hit func(condition int))
}

// sizes are the numbers of conditions.
var sizes = []int{10, 100, 1_000, 10_000, 100_000}

// smallSizes are the numbers of conditions that people have.
var smallSizes = []int{10, 30, 100}

// contextCount is how many contexts cold runs go through.
const contextCount = 16

// Run measures all sizes, with and without regular expressions.
func Run(b *measure.Bench) error { return run(b, sizes) }

// RunSmall measures the numbers of conditions that people have.
func RunSmall(b *measure.Bench) error { return run(b, smallSizes) }

func run(b *measure.Bench, sizes []int) error {
	v := newVocabulary(rand.New(rand.NewPCG(1, 1)))
	contexts := situations(v, contextCount)
	for _, n := range sizes {
		for _, regex := range []bool{true, false} {
			// Preparing the largest takes some seconds by itself.
			if b.Late(fmt.Sprintf("%d conditions%s", n, suffix(regex)), time.Duration(n)*50*time.Microsecond) {
				continue
			}
			if err := size(b, conditions(v, n, regex), contexts, regex); err != nil {
				return err
			}
			runtime.GC()
		}
	}
	return nil
}

// suffix tells the two kinds of workload apart in the names of cases.
func suffix(regex bool) string {
	if regex {
		return " with regexes"
	}
	return " without regexes"
}

func size(b *measure.Bench, all []condition, contexts []situation, regex bool) error {
	exprs, err := parse(all)
	if err != nil {
		return err
	}
	compiled, err := compile(exprs)
	if err != nil {
		return err
	}
	own := indexed(compiled, contexts)
	peers := []engine{walked(compiled, contexts)}
	for _, p := range peerTable {
		if b.Quick && len(all) > p.quick {
			b.Notef("%s with %d conditions is left out by --quick: it takes too long to prepare", p.name, len(all))
			continue
		}
		start := time.Now()
		e, err := p.prepare(all, contexts)
		if err != nil {
			return err
		}
		b.Notef("%s has prepared %d conditions%s in %.1f s", p.name, len(all), suffix(regex), time.Since(start).Seconds())
		peers = append(peers, e)
	}
	looks := contextCount
	if len(all) > 10_000 || b.Quick && len(all) > 100 {
		looks = 3 // one answer takes long
	}
	matched, err := agree(own, peers, looks)
	if err != nil {
		return err
	}
	compare(b, measure.Case{Name: "repeated" + suffix(regex), N: len(all), Matches: matched[0]}, own, peers, false)
	mean := 0
	for _, m := range matched {
		mean += m
	}
	compare(b, measure.Case{Name: "cold" + suffix(regex), N: len(all), Matches: mean / len(matched)}, own, peers, true)
	compileCase(b, all, exprs, contexts, regex)
	return nil
}

// peerTable lists the peers in the order of the results, with the largest
// number of conditions for which they are ready soon enough for --quick.
var peerTable = []struct {
	name    string
	quick   int
	prepare func([]condition, []situation) (engine, error)
}{
	{"expr", 10_000, exprEngine},
	{"cel-go", 10_000, celEngine},
	{"opa", 10_000, opaEngine},
}

func compare(b *measure.Bench, c measure.Case, own engine, peers []engine, cold bool) {
	timed := func(e engine) measure.Engine {
		hits := 0
		hit := func(int) { hits++ }
		return measure.Engine{Name: e.name, Run: func(run int) {
			if !cold {
				run = 0
			}
			e.match(run%contextCount, hit)
		}}
	}
	others := make([]measure.Engine, len(peers))
	for i, p := range peers {
		others[i] = timed(p)
	}
	b.Compare(c, timed(own), others...)
}

// agree compares the answers of all engines in the first contexts and returns
// the number of matches in each of them.
func agree(own engine, peers []engine, looks int) ([]int, error) {
	counts := make([]int, looks)
	for c := range looks {
		want := answer(own.match, c)
		counts[c] = len(want)
		for _, e := range peers {
			got := answer(e.match, c)
			if i, differs := firstDifference(want, got); differs {
				return nil, fmt.Errorf("pertain and %s disagree about condition %d in context %d", e.name, i, c)
			}
		}
	}
	return counts, nil
}

func answer(match func(int, func(int)), context int) []int {
	var hits []int
	match(context, func(i int) { hits = append(hits, i) })
	slices.Sort(hits)
	return hits
}

// firstDifference finds the first condition that only one of two sorted answers
// holds.
func firstDifference(a, b []int) (condition int, differs bool) {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return b[i], true
		case i >= len(b):
			return a[i], true
		case a[i] != b[i]:
			return min(a[i], b[i]), true
		}
	}
	return 0, false
}

// onAllCores calls do for all numbers below n and returns one of the errors.
func onAllCores(n int, do func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					once.Do(func() { failed = fmt.Errorf("condition %d: %w", i, err) })
					return
				}
			}
		})
	}
	wg.Wait()
	return failed
}

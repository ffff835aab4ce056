package match

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Engines that disagree would be compared in vain.
func TestEnginesAgree(t *testing.T) {
	v := newVocabulary(rand.New(rand.NewPCG(1, 1)))
	contexts := situations(v, contextCount)
	for _, regex := range []bool{true, false} {
		all := conditions(v, 1000, regex)
		exprs, err := parse(all)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := compile(exprs)
		if err != nil {
			t.Fatal(err)
		}
		peers := []engine{walked(compiled, contexts)}
		for _, p := range peerTable {
			e, err := p.prepare(all, contexts)
			if err != nil {
				t.Fatal(err)
			}
			peers = append(peers, e)
		}
		counts, err := agree(indexed(compiled, contexts), peers, contextCount)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d conditions%s, true in each context: %v", len(all), suffix(regex), counts)
	}
}

// For profiles of the index alone.
func BenchmarkIndex(b *testing.B) {
	v := newVocabulary(rand.New(rand.NewPCG(1, 1)))
	contexts := situations(v, contextCount)
	for _, regex := range []bool{true, false} {
		for _, n := range []int{10, 1000, 10_000, 100_000} {
			exprs, err := parse(conditions(v, n, regex))
			if err != nil {
				b.Fatal(err)
			}
			compiled, err := compile(exprs)
			if err != nil {
				b.Fatal(err)
			}
			e := indexed(compiled, contexts)
			b.Run(fmt.Sprintf("%d%s", n, suffix(regex)), func(b *testing.B) {
				b.ReportAllocs()
				hits, run := 0, 0
				for b.Loop() {
					e.match(run%contextCount, func(int) { hits++ })
					run++
				}
				b.ReportMetric(float64(hits)/float64(run), "matches")
			})
		}
	}
}

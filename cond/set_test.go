package cond_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
)

// TestSetAgreesWithWalk compares the index with plain tree walking and with the
// traced evaluation, on random conditions and contexts: 120,000 pairs, or as
// many rounds of that as PERTAIN_PAIR_ROUNDS says.
func TestSetAgreesWithWalk(t *testing.T) {
	rounds := 1
	if n, err := strconv.Atoi(os.Getenv("PERTAIN_PAIR_ROUNDS")); err == nil {
		rounds = n
	}
	for round := range rounds {
		for seed := range uint64(4) {
			agree(t, generator{rand.New(rand.NewPCG(seed, uint64(round)))}, 600, 50)
		}
	}
}

func agree(t *testing.T, g generator, size, snapshots int) {
	t.Helper()
	members := make([]cond.Member, size)
	for i := range members {
		members[i] = g.member(t)
	}
	set := cond.NewSet(slices.Clone(members))
	trues := 0
	for range snapshots {
		snapshot := g.snapshot()
		indexed := make([]bool, size)
		set.Match(context.Background(), cond.NewEvaluation(snapshot), func(h cond.Hit) {
			if indexed[h.Member] {
				t.Fatalf("member %d was yielded twice", h.Member)
			}
			indexed[h.Member] = h.Result == cond.True
		})
		walked := make([]bool, size)
		cond.Walk(context.Background(), members, cond.NewEvaluation(snapshot), func(h cond.Hit) { walked[h.Member] = h.Result == cond.True })
		ev := cond.NewEvaluation(snapshot)
		for i := range members {
			var list diag.List
			traced, trace := members[i].Program.Explain(ev, members[i].Limits, &list, false)
			if indexed[i] != walked[i] || walked[i] != (traced == cond.True) || trace.Result != traced {
				t.Fatalf("member %d: index says %v, walk %v, trace %v", i, indexed[i], walked[i], traced)
			}
			if walked[i] {
				trues++
			}
		}
	}
	if trues == 0 || trues == size*snapshots {
		t.Fatalf("the pairs prove nothing: %d of %d are true", trues, size*snapshots)
	}
}

package cond_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
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
	conditions := make([]cond.Condition, size)
	for i := range conditions {
		conditions[i] = g.compiled(t)
	}
	set := cond.NewSet(slices.Clone(conditions))
	trues := 0
	for range snapshots {
		snapshot := g.snapshot()
		indexed := make([]bool, size)
		set.Match(context.Background(), cond.NewEvaluation(snapshot), func(h cond.Hit) {
			if indexed[h.Condition] {
				t.Fatalf("condition %d was yielded twice", h.Condition)
			}
			indexed[h.Condition] = h.Result == cond.True
		})
		walked := make([]bool, size)
		cond.Walk(context.Background(), conditions, cond.NewEvaluation(snapshot), func(h cond.Hit) { walked[h.Condition] = h.Result == cond.True })
		ev := cond.NewEvaluation(snapshot)
		for i := range conditions {
			var list diag.List
			traced, trace := conditions[i].Program.Explain(ev, conditions[i].Limits, &list, false)
			if indexed[i] != walked[i] || walked[i] != (traced == cond.True) || trace.Result != traced {
				t.Fatalf("condition %d: index says %v, walk %v, trace %v", i, indexed[i], walked[i], traced)
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

// TestSetReportsAsWalk compares what is reported of limits: each condition gets the
// problem at its own position, also where conditions share the predicate.
func TestSetReportsAsWalk(t *testing.T) {
	slow := "{clipboard.text: {regex: " + catastrophic + "}}"
	s := empty().With("clipboard.text", manyA).With("clipboard.hasText", facts.Flag(true))
	for name, limits := range map[string]cond.Limits{
		"regex":    {Regex: time.Millisecond, Condition: 10 * time.Second, Matching: 20 * time.Second},
		"matching": {Regex: 10 * time.Second, Condition: 10 * time.Second, Matching: time.Millisecond},
	} {
		var conditions []cond.Condition
		for _, when := range []string{
			slow, slow, "{all: [{clipboard.hasText: {equals: true}}, " + slow + "]}", "{any: [" + slow + ", false]}",
			"{none: [" + slow + "]}", "{all: [" + slow + ", {clipboard.text: {length: {min: 1}}}]}", "{clipboard.text: {contains: aab}}",
		} {
			_, program, problems := compile(t, when)
			if problems.HasErrors() {
				t.Fatal(problems)
			}
			conditions = append(conditions, cond.Condition{Program: program, Limits: limits})
		}
		report := func(match func(ev *cond.Evaluation, yield func(cond.Hit))) map[int]string {
			said := map[int]string{}
			match(cond.NewEvaluation(s), func(h cond.Hit) {
				said[h.Condition] = h.Result.String()
				for _, d := range h.Diagnostics {
					p, _ := d.Position()
					said[h.Condition] += fmt.Sprintf(" %s at %d:%d", d.Code, p.Line, p.Column)
				}
			})
			return said
		}
		want := report(func(ev *cond.Evaluation, yield func(cond.Hit)) {
			cond.Walk(context.Background(), conditions, ev, yield)
		})
		set := cond.NewSet(slices.Clone(conditions))
		got := report(func(ev *cond.Evaluation, yield func(cond.Hit)) { set.Match(context.Background(), ev, yield) })
		if len(want) != len(conditions) || !maps.Equal(got, want) {
			t.Errorf("%s limit: the index says\n%v, walking\n%v", name, got, want)
		}
	}
}

// TestAtomsAreTheirOwn: conditions that share one operator of a condition do not share the others.
func TestAtomsAreTheirOwn(t *testing.T) {
	var conditions []cond.Condition
	for _, when := range []string{
		"{clipboard.text: {regex: 'b+', startsWith: x}}", "{clipboard.text: {regex: 'b+'}}", "{clipboard.text: {regex: 'b+', endsWith: c}}",
		"{clipboard.text: {regex: 'b+', length: {max: 2}}}", "{none: [{clipboard.text: {regex: 'b+', length: {max: 2}}}]}",
		"{all: [{clipboard.text: {length: {min: 1}}}, {clipboard.text: {regex: '[bx]$|c$'}}]}", "{clipboard.text: {regex: '[bx]$|c$', length: {max: 1}}}",
	} {
		conditions = append(conditions, conditionOf(t, when))
	}
	compareIndex(t, conditions, 3, func() *facts.Snapshot { return empty().With("clipboard.text", facts.Text("abc")) }, map[string]int{})
	found := map[int]bool{}
	cond.NewSet(conditions).Match(context.Background(), cond.NewEvaluation(empty().With("clipboard.text", facts.Text("abc"))), func(h cond.Hit) { found[h.Condition] = h.Result == cond.True })
	if want := map[int]bool{1: true, 2: true, 4: true, 5: true}; !maps.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

// TestEpochsUsedUp: a working memory that begins to count anew knows nothing of the matches that had the same numbers.
func TestEpochsUsedUp(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 3))}
	conditions := make([]cond.Condition, 300)
	for i := range conditions {
		conditions[i] = g.compiled(t)
	}
	match := cond.NewSet(slices.Clone(conditions)).Aged()
	for n := range 20 {
		snapshot := g.snapshot()
		var walked, matched []int
		cond.Walk(t.Context(), conditions, cond.NewEvaluation(snapshot), func(h cond.Hit) { walked = append(walked, h.Condition) })
		match(cond.NewEvaluation(snapshot), func(h cond.Hit) { matched = append(matched, h.Condition) })
		slices.Sort(walked)
		slices.Sort(matched)
		if !slices.Equal(matched, walked) {
			t.Fatalf("match %d: %v, walking %v", n, matched, walked)
		}
	}
}

package cond_test

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// steps is a clock by which some expressions and queries take nothing, others a good part of a strategy's time, and
// some more than their own limit.
func steps(seed uint64) *cond.Steps {
	return &cond.Steps{Cost: func(what string) time.Duration {
		h := fnv.New64a()
		h.Write([]byte(what))
		costs := []int{0, 0, 10, 20, 40, 45, 70, 130}
		return time.Duration(costs[(h.Sum64()+seed)%uint64(len(costs))]) * time.Millisecond
	}}
}

func expired(list diag.List) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == diag.StrategyTimeout })
}

// TestExhaustedBudgetsAgree: whoever decides, with whatever neighbours, by the index, walking, sharing or explaining, a strategy
// whose time runs out is the same one with the same answer.
func TestExhaustedBudgetsAgree(t *testing.T) {
	timeouts, trues := 0, 0
	for seed := range uint64(8) {
		g := generator{rand.New(rand.NewPCG(seed, 77))}
		conditions := make([]cond.Condition, 250)
		for i := range conditions {
			conditions[i] = g.compiled(t)
			conditions[i].Limits = cond.Limits{Matching: time.Duration(23+20*g.r.IntN(4)) * time.Millisecond} // never the sum of some costs
			if g.r.IntN(3) == 0 {
				conditions[i].Limits.Condition = 30 * time.Millisecond
			}
		}
		set := cond.NewSet(slices.Clone(conditions))
		for range 8 {
			snapshot := g.snapshot()
			fresh := func() *cond.Evaluation { return steps(seed).Use(cond.NewEvaluation(snapshot)) }
			want := make([]cond.Tri, len(conditions))
			late := make([]bool, len(conditions))
			for i, m := range conditions {
				var list, more diag.List
				want[i] = m.Program.Eval(fresh(), m.Limits, &list)
				late[i] = expired(list)
				explained, tree := m.Program.Explain(fresh(), m.Limits, &more, false)
				if explained != want[i] || tree.Result != want[i] || expired(more) != late[i] {
					t.Fatalf("seed %d, condition %d: matching says %s (expired: %v), explain %s (%v), its tree %s", seed, i, want[i], late[i], explained, expired(more), tree.Result)
				}
				if late[i] {
					timeouts++
				}
				if want[i] == cond.True {
					trues++
				}
			}
			compare := func(name string, match func(ev *cond.Evaluation, yield func(cond.Hit)), ev *cond.Evaluation) {
				seen := make([]bool, len(conditions))
				match(ev, func(h cond.Hit) {
					seen[h.Condition] = true
					if h.Result != want[h.Condition] || expired(h.Diagnostics) != late[h.Condition] {
						t.Fatalf("seed %d, condition %d: alone %s (expired: %v), %s %s (%v)", seed, h.Condition, want[h.Condition], late[h.Condition], name, h.Result, h.Diagnostics)
					}
				})
				for i := range conditions {
					if want[i] == cond.True && !seen[i] {
						t.Fatalf("seed %d, condition %d: alone true, %s finds nothing", seed, i, name)
					}
				}
			}
			walk := func(ev *cond.Evaluation, yield func(cond.Hit)) {
				cond.Walk(context.Background(), conditions, ev, yield)
			}
			index := func(ev *cond.Evaluation, yield func(cond.Hit)) { set.Match(context.Background(), ev, yield) }
			compare("walking", walk, fresh())
			compare("the index", index, fresh())
			for name, match := range map[string]func(*cond.Evaluation, func(cond.Hit)){"walking and sharing": walk, "the index, sharing": index} {
				ev := fresh()
				ev.ShareSlow()
				compare(name, match, ev)
				for i, m := range conditions {
					var list diag.List
					if explained, _ := m.Program.Explain(ev, m.Limits, &list, false); explained != want[i] || expired(list) != late[i] {
						t.Fatalf("seed %d, condition %d: alone %s (expired: %v), explained after %s %s (%v)", seed, i, want[i], late[i], name, explained, list)
					}
				}
			}
		}
	}
	if timeouts < 400 || trues < 1000 {
		t.Fatalf("the pairs prove little: %d time-outs, %d true", timeouts, trues)
	}
}

// TestExplainPaysItself: what explain looks at beyond matching takes none of the strategy's time.
func TestExplainPaysItself(t *testing.T) {
	s := empty().With("clipboard.text", facts.Text("a"))
	clock := func() *cond.Steps {
		return &cond.Steps{Cost: func(string) time.Duration { return 40 * time.Millisecond }}
	}
	const slow = "{clipboard.text: {regex: 'b'}}, {clipboard.text: {regex: 'c'}}, {clipboard.text: {regex: 'a'}}"
	for _, tt := range []struct {
		when string
		want cond.Tri
	}{
		{"{any: [true, " + slow + "]}", cond.True},
		{"{all: [false, " + slow + "]}", cond.False},
		{"{none: [true, " + slow + "]}", cond.False},
		{"{any: [" + slow + ", true]}", cond.Null},
		{"{all: [{any: [" + slow + "]}, false]}", cond.Null},
	} {
		_, program, problems := compile(t, tt.when)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		var list diag.List
		limits := cond.Limits{Matching: 100 * time.Millisecond}
		result, tree := program.Explain(clock().Use(cond.NewEvaluation(s)), limits, &list, false)
		if result != tt.want || tree.Result != tt.want || expired(list) != (tt.want == cond.Null) {
			t.Errorf("%s: %s, tree %s, %v; want %s", tt.when, result, tree.Result, list, tt.want)
		}
		if matched := program.Eval(clock().Use(cond.NewEvaluation(s)), limits, nil); matched != tt.want {
			t.Errorf("%s: matching says %s, want %s", tt.when, matched, tt.want)
		}
	}
}

// TestSharedResultsAreCharged: who takes over what took another strategy long is told to have taken as long, up to its limit.
func TestSharedResultsAreCharged(t *testing.T) {
	s := empty().With("clipboard.text", facts.Text("abc"))
	const a, b, c = "{clipboard.text: {regex: 'a'}}", "{clipboard.text: {regex: 'b'}}", "{clipboard.text: {regex: 'c'}}"
	var conditions []cond.Condition
	for _, when := range []string{a, b, c, "{all: [" + a + ", " + b + "]}", "{all: [" + a + ", " + b + ", " + c + "]}"} {
		m := conditionOf(t, when)
		m.Limits = cond.Limits{Matching: 100 * time.Millisecond}
		conditions = append(conditions, m)
	}
	clock := &cond.Steps{Cost: func(string) time.Duration { return 40 * time.Millisecond }}
	ev := clock.Use(cond.NewEvaluation(s))
	ev.ShareSlow()
	hits := map[int]cond.Hit{}
	cond.Walk(context.Background(), conditions, ev, func(h cond.Hit) { hits[h.Condition] = h })
	for condition, least := range map[int]time.Duration{3: 80 * time.Millisecond, 4: 100 * time.Millisecond} {
		if h := hits[condition]; h.Duration < least {
			t.Errorf("condition %d is told to have taken %s, want at least %s", condition, h.Duration, least)
		}
	}
	if hits[3].Result != cond.True || expired(hits[3].Diagnostics) || hits[4].Result != cond.Null || !expired(hits[4].Diagnostics) {
		t.Errorf("%+v, %+v", hits[3], hits[4])
	}
}

// TestExplainTakesOverForFree: what matching does not come to is shown as others have found it out, whatever that took them.
func TestExplainTakesOverForFree(t *testing.T) {
	s := empty().With("clipboard.text", facts.Text("abc"))
	const a, b, c = "{clipboard.text: {regex: 'a'}}", "{clipboard.text: {regex: 'b'}}", "{clipboard.text: {regex: 'c'}}"
	var conditions []cond.Condition
	for _, when := range []string{a, b, c, "{any: [true, " + a + ", " + b + ", " + c + "]}"} {
		m := conditionOf(t, when)
		m.Limits = cond.Limits{Matching: 100 * time.Millisecond}
		conditions = append(conditions, m)
	}
	clock := &cond.Steps{Cost: func(string) time.Duration { return 40 * time.Millisecond }}
	ev := clock.Use(cond.NewEvaluation(s))
	ev.ShareSlow()
	cond.Walk(t.Context(), conditions[:3], ev, func(cond.Hit) {})
	var list diag.List
	_, tree := conditions[3].Program.Explain(ev, conditions[3].Limits, &list, false)
	for i, child := range tree.Children {
		if child.Result != cond.True {
			t.Errorf("child %d is %s: %s", i, child.Result, child.Reason)
		}
	}
	if len(tree.Children) != 4 || len(list) > 0 {
		t.Errorf("%d children, %v", len(tree.Children), list)
	}
}

// TestLimitsAtMost: each limit is the shorter one, and those that are not set are the others'.
func TestLimitsAtMost(t *testing.T) {
	few := cond.Limits{Matching: 1, Condition: 20, Regex: 3, VisualQuery: 40, Extra: 5}
	other := cond.Limits{Matching: 10, Condition: 2, Regex: 30, VisualQuery: 4, Extra: 50}
	if got, want := few.AtMost(other), (cond.Limits{Matching: 1, Condition: 2, Regex: 3, VisualQuery: 4, Extra: 5}); got != want || other.AtMost(few) != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (cond.Limits{Regex: 7}).Or(few); got != (cond.Limits{Matching: 1, Condition: 20, Regex: 7, VisualQuery: 40, Extra: 5}) {
		t.Errorf("filled in: %+v", got)
	}
	if got := (cond.Limits{}).Or(cond.DefaultLimits()); got != cond.DefaultLimits() {
		t.Errorf("defaults: %+v", got)
	}
}

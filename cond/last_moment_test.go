package cond_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// ways are the two that answer a match, by name.
func ways(t *testing.T, conditions []cond.Condition) map[string]func(ev *cond.Evaluation) map[int]cond.Hit {
	t.Helper()
	collect := func(match func(yield func(cond.Hit))) map[int]cond.Hit {
		hits := map[int]cond.Hit{}
		match(func(h cond.Hit) { hits[h.Condition] = h })
		return hits
	}
	set := cond.NewSet(slices.Clone(conditions))
	return map[string]func(ev *cond.Evaluation) map[int]cond.Hit{
		"walk": func(ev *cond.Evaluation) map[int]cond.Hit {
			return collect(func(yield func(cond.Hit)) { cond.Walk(t.Context(), conditions, ev, yield) })
		},
		"index": func(ev *cond.Evaluation) map[int]cond.Hit {
			return collect(func(yield func(cond.Hit)) { set.Match(t.Context(), ev, yield) })
		},
	}
}

func isTrue(h cond.Hit) bool { return h.Result == cond.True && len(h.Diagnostics) == 0 }

func outOfBudget(h cond.Hit) bool {
	return h.Result == cond.Null && len(h.Diagnostics) == 1 && h.Diagnostics[0].Code == diag.MatchBudget
}

// momentSnapshot has something for everything that may be slow.
func momentSnapshot() *facts.Snapshot {
	tree := facts.NewTreeWithTexts([]facts.Element{button("Save")}, make([]facts.ElementText, 1))
	items := slices.Repeat([]facts.Value{file("path", "b")}, 5000)
	return facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: tree}).
		With("attachments.files", facts.List(append(items, file("path", "a"))...)).
		With("clipboard.text", facts.Text(strings.Repeat("a", 1<<14)))
}

// TestLastMoment: a limit is reached when nothing is left of it, not a moment before.
func TestLastMoment(t *testing.T) {
	limits := cond.Limits{Condition: time.Nanosecond}
	for name, when := range map[string]string{
		"regex":                      "{clipboard.text: {regex: '^a'}}",
		"glob, asked once":           "{clipboard.text: {glob: '" + strings.Repeat("{a,aa}", 20) + "*'}}",
		"glob, asked again":          "{clipboard.text: {glob: '*" + strings.Repeat("{a,aa}", 20) + "'}}",
		"items of a long array":      "{attachments.files: {any: {path: {equals: a}}}}",
		"what is to be seen exists":  "{visual.exists: {query: //Button}}",
		"what is to be seen matches": "{visual.match: {query: //Button/@name, equals: save}}",
	} {
		_, program, problems := compile(t, when)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		var list diag.List
		clock := &cond.Steps{Cost: func(string) time.Duration { return 0 }}
		if got := program.Eval(clock.Use(cond.NewEvaluation(momentSnapshot())), limits, &list); got != cond.True || len(list) > 0 {
			t.Errorf("%s: %s %v", name, got, list)
		}
	}
}

// TestLastMomentOfABudget: a match decides as long as anything is left, by the index or
// without it.
func TestLastMomentOfABudget(t *testing.T) {
	conditions := slices.Repeat(setOf(t, "true", patient), 64)
	conditions = append(conditions, setOf(t, "{clipboard.text: {regex: '^a'}}", patient)...)
	for name, match := range ways(t, conditions) {
		clock := &cond.Steps{Cost: func(string) time.Duration { return 0 }}
		ev := clock.Use(cond.NewEvaluation(momentSnapshot()))
		ev.SetBudget(time.Nanosecond)
		if left := ev.Left(); left != time.Nanosecond {
			t.Errorf("%s: %s are left of a nanosecond", name, left)
		}
		hits := match(ev)
		for i := range conditions {
			if !isTrue(hits[i]) {
				t.Errorf("%s: condition %d: %+v", name, i, hits[i])
			}
		}
	}
}

// TestShortestBudget: what is slow has no time within a budget that is over at once,
// however short the budget is.
func TestShortestBudget(t *testing.T) {
	var conditions []cond.Condition
	for _, when := range []string{"{clipboard.text: {regex: '^a'}}", "{clipboard.text: {regex: '^.'}}", "{visual.match: {query: //Button/@name, equals: save}}"} {
		conditions = append(conditions, setOf(t, when, patient)...)
	}
	for name, match := range ways(t, conditions) {
		ev := cond.NewEvaluation(momentSnapshot())
		for ev.SetBudget(time.Nanosecond); ev.Left() > 0; { // on some systems the clock stands still for longer
			time.Sleep(time.Microsecond)
		}
		hits := match(ev)
		for i := range conditions {
			if !outOfBudget(hits[i]) {
				t.Errorf("%s: condition %d: %+v", name, i, hits[i])
			}
		}
	}
}

// TestShortArraysAreNotSlow: what is slow takes no time from conditions on the items of an
// array that is short.
func TestShortArraysAreNotSlow(t *testing.T) {
	s := files(file("path", "a")).With("clipboard.text", facts.Text("text"))
	conditions := slices.Concat(setOf(t, "{clipboard.text: {regex: 't.*t'}}", patient), setOf(t, "{attachments.files: {any: {path: {length: {max: 1}}}}}", patient))
	for name, match := range ways(t, conditions) {
		clock := &cond.Steps{Cost: func(string) time.Duration { return time.Hour }}
		ev := clock.Use(cond.NewEvaluation(s))
		ev.SetBudget(time.Millisecond)
		if hits := match(ev); !outOfBudget(hits[0]) || !isTrue(hits[1]) {
			t.Errorf("%s: %+v", name, hits)
		}
	}
}

// TestCheapConditionsTakeNoTime: what cannot be slow never looks at the clock, so that it
// costs nobody anything, however busy the machine is.
func TestCheapConditionsTakeNoTime(t *testing.T) {
	s := empty().With("clipboard.text", facts.Text("text"))
	conditions := slices.Repeat(setOf(t, "{none: [{clipboard.text: {contains: z}}, {clipboard.text: {length: {max: 1}}}]}", cond.Limits{}), 3)
	for name, match := range ways(t, conditions) {
		clock := &cond.Log{PerLook: time.Second}
		hits := match(clock.Use(cond.NewEvaluation(s)))
		for i := range conditions {
			if !isTrue(hits[i]) {
				t.Errorf("%s: condition %d: %+v", name, i, hits[i])
			}
		}
	}
}

// TestSetOfNothing: where there are no conditions, none holds.
func TestSetOfNothing(t *testing.T) {
	for name, match := range ways(t, nil) {
		if hits := match(cond.NewEvaluation(momentSnapshot())); len(hits) > 0 {
			t.Errorf("%s: %v", name, hits)
		}
	}
}

// TestMatchKeepsNothing: what was matched, somebody's clipboard say, does not stay in memory
// until the next match.
func TestMatchKeepsNothing(t *testing.T) {
	set := cond.NewSet(setOf(t, "{clipboard.text: {contains: a}}", patient))
	for range 20 { // under the race detector a pool forgets at random
		set.Match(t.Context(), cond.NewEvaluation(momentSnapshot()), func(cond.Hit) {})
		if set.Kept() != nil {
			t.Fatal("an evaluation is kept after its match")
		}
	}
}

package cond_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// slowAmongOrdinary is many slow strategies with a few ordinary ones among them, and what
// each of their expressions costs.
func slowAmongOrdinary(t *testing.T, slow int, cost time.Duration) (conditions []cond.Condition, ordinary []int, clock *cond.Steps) {
	t.Helper()
	add := func(when string) {
		_, program, list := compile(t, when)
		if list.HasErrors() {
			t.Fatal(list)
		}
		conditions = append(conditions, cond.Condition{Program: program})
	}
	for i := range slow {
		add(fmt.Sprintf("{clipboard.text: {regex: '^.*slow(?:%d)?'}}", i))
		if i%10 == 5 {
			ordinary = append(ordinary, len(conditions), len(conditions)+1, len(conditions)+2)
			add("{clipboard.text: {contains: slow}}")
			add(fmt.Sprintf("{clipboard.text: {regex: '^quick%d|.'}}", i))
			add(fmt.Sprintf("{all: [{clipboard.text: {startsWith: slow}}, {clipboard.text: {regex: '^medium%d|.'}}]}", i))
		}
	}
	return conditions, ordinary, &cond.Steps{Cost: func(what string) time.Duration {
		switch {
		case strings.Contains(what, "slow"):
			return cost
		case strings.Contains(what, "medium"):
			if slow > 100 { // more than a match can find out about all of them
				return 100 * time.Microsecond
			}
			return 4 * time.Millisecond
		}
		return 50 * time.Microsecond
	}}
}

// TestBudgetOfAMatch: however many strategies are slow, a match ends in its time,
// those that are not slow are decided, and the others are told of.
func TestBudgetOfAMatch(t *testing.T) {
	snapshot := empty().With("clipboard.text", facts.Text("slow text"))
	for _, slow := range []int{20, 60, 400} {
		conditions, ordinary, _ := slowAmongOrdinary(t, slow, time.Hour)
		set := cond.NewSet(slices.Clone(conditions))
		for name, match := range map[string]func(*cond.Evaluation, func(cond.Hit)){
			"walk":  func(ev *cond.Evaluation, yield func(cond.Hit)) { cond.Walk(t.Context(), conditions, ev, yield) },
			"index": func(ev *cond.Evaluation, yield func(cond.Hit)) { set.Match(t.Context(), ev, yield) },
		} {
			_, _, clock := slowAmongOrdinary(t, slow, time.Hour)
			ev := clock.Use(cond.NewEvaluation(snapshot))
			ev.ShareSlow()
			ev.SetBudget(time.Second)
			results := map[int]cond.Hit{}
			match(ev, func(h cond.Hit) {
				if _, twice := results[h.Condition]; twice {
					t.Fatalf("%s: condition %d was yielded twice", name, h.Condition)
				}
				results[h.Condition] = h
			})
			if over := -ev.Left(); over > 60*time.Millisecond {
				t.Errorf("%s, %d slow ones: the match took %s too long", name, slow, over)
			}
			for i := range conditions {
				h, told := results[i]
				switch {
				case slices.Contains(ordinary, i):
					if h.Result != cond.True {
						t.Errorf("%s, %d slow ones: condition %d is not decided: %v", name, slow, i, h.Diagnostics)
					}
				case !told || h.Result != cond.Null || len(h.Diagnostics) != 1:
					t.Errorf("%s, %d slow ones: condition %d: %+v", name, slow, i, h)
				case h.Diagnostics[0].Code == diag.MatchBudget:
					if h.Diagnostics[0].Duration != time.Second || h.Diagnostics[0].Source == nil {
						t.Errorf("%s: %+v", name, h.Diagnostics[0])
					}
				case h.Diagnostics[0].Code != diag.RegexTimeout:
					t.Errorf("%s: %+v", name, h.Diagnostics[0])
				}
			}
			if slow >= 60 && !slices.ContainsFunc(slices.Collect(maps.Values(results)), func(h cond.Hit) bool {
				return len(h.Diagnostics) > 0 && h.Diagnostics[0].Code == diag.MatchBudget
			}) {
				t.Errorf("%s, %d slow ones: nobody ran out of the budget", name, slow)
			}
		}
	}
}

// TestBudgetChangesNothing: where there is time enough, each strategy is answered
// as it is alone.
func TestBudgetChangesNothing(t *testing.T) {
	snapshot := empty().With("clipboard.text", facts.Text("slow text"))
	conditions, _, clock := slowAmongOrdinary(t, 30, 20*time.Millisecond) // 600 ms in all, and no turn is enough at first
	ev := clock.Use(cond.NewEvaluation(snapshot))
	ev.SetBudget(time.Second)
	trues := 0
	cond.NewSet(conditions).Match(context.Background(), ev, func(h cond.Hit) {
		if h.Result != cond.True || len(h.Diagnostics) > 0 {
			t.Errorf("condition %d: %s %v", h.Condition, h.Result, h.Diagnostics)
		}
		trues++
	})
	if trues != len(conditions) {
		t.Errorf("%d of %d", trues, len(conditions))
	}
}

// TestBudgetIsSpentOnSome: programs that all take about the same and are too many for
// the budget do not use it up together; some are decided, and nobody is blamed for a
// turn that was too short.
func TestBudgetIsSpentOnSome(t *testing.T) {
	snapshot := empty().With("clipboard.text", facts.Text("some text"))
	const endless = time.Hour
	for name, test := range map[string]struct {
		costs []time.Duration // of the parts of each program, again and again from the first
		parts int
		late  time.Duration // by which turns end late, as on a busy machine
		least int           // so many of 30 are decided
	}{
		"some time":              {[]time.Duration{40 * time.Millisecond}, 1, 0, 15},
		"two parts":              {[]time.Duration{40 * time.Millisecond}, 2, 0, 6},
		"several parts":          {[]time.Duration{30 * time.Millisecond}, 3, 0, 5},
		"more than a turn":       {[]time.Duration{21 * time.Millisecond}, 1, 0, 25},
		"some never end":         {[]time.Duration{endless, 40 * time.Millisecond, 40 * time.Millisecond}, 1, 0, 6},
		"whole budget each":      {[]time.Duration{45 * time.Millisecond}, 6, 0, 1},
		"busy machine":           {[]time.Duration{20 * time.Millisecond}, 1, 30 * time.Millisecond, 20},
		"busy machine, parts":    {[]time.Duration{24 * time.Millisecond}, 2, 30 * time.Millisecond, 10},
		"busy machine, mixed":    {[]time.Duration{45 * time.Millisecond, 10 * time.Millisecond}, 2, 30 * time.Millisecond, 6},
		"very busy, little each": {[]time.Duration{6 * time.Millisecond}, 2, 100 * time.Millisecond, 20},
	} {
		var conditions []cond.Condition
		costs := map[string]time.Duration{}
		for i := range 30 {
			var parts []string
			for part := range test.parts {
				re := fmt.Sprintf("^.*(?:p%dx%d)?", i, part)
				costs[re] = test.costs[i%len(test.costs)]
				parts = append(parts, "{clipboard.text: {regex: '"+re+"'}}")
			}
			_, program, list := compile(t, "{all: ["+strings.Join(parts, ", ")+"]}")
			if list.HasErrors() {
				t.Fatal(list)
			}
			conditions = append(conditions, cond.Condition{Program: program})
		}
		set := cond.NewSet(slices.Clone(conditions))
		for way, match := range map[string]func(*cond.Evaluation, func(cond.Hit)){
			"walk":  func(ev *cond.Evaluation, yield func(cond.Hit)) { cond.Walk(t.Context(), conditions, ev, yield) },
			"index": func(ev *cond.Evaluation, yield func(cond.Hit)) { set.Match(t.Context(), ev, yield) },
		} {
			clock := &cond.Steps{Cost: func(what string) time.Duration { return costs[what] }, Early: time.Microsecond - test.late}
			ev := clock.Use(cond.NewEvaluation(snapshot))
			ev.ShareSlow()
			ev.SetBudget(time.Second)
			told, decided := 0, 0
			match(ev, func(h cond.Hit) {
				told++
				if h.Result == cond.True {
					decided++
				}
				for _, d := range h.Diagnostics {
					endless := test.costs[h.Condition%len(test.costs)] == endless && d.Code == diag.RegexTimeout
					if d.Code != diag.MatchBudget && !endless {
						t.Errorf("%s, %s: condition %d: %v", name, way, h.Condition, d)
					}
				}
			})
			if told != len(conditions) || decided < test.least {
				t.Errorf("%s, %s: %d of %d are told of, %d are decided", name, way, told, len(conditions), decided)
			}
			if over := -ev.Left(); over > 60*time.Millisecond+test.late {
				t.Errorf("%s, %s: the match took %s too long", name, way, over)
			}
		}
	}
}

// TestLongArraysLookAtTheClock: between two looks there are few items, and few
// bytes of their texts.
func TestLongArraysLookAtTheClock(t *testing.T) {
	for name, array := range map[string]struct {
		items, bytes int
		least        int // looks at the clock
	}{
		"many":  {50_000, 10, 150},
		"large": {5000, 1000, 200},
		"few":   {100, 10, 0},
	} {
		items := make([]facts.Value, array.items)
		for i := range items {
			items[i] = file("path", fmt.Sprintf("%d", i)+strings.Repeat("X", array.bytes))
		}
		s := files(items...)
		for _, op := range []string{"any", "none"} {
			for _, operator := range []string{"contains: zz", "glob: '*z*z'", "equals: zz", "in: [a, b]", "startsWith: z"} {
				_, program, _ := compile(t, "{attachments.files: {"+op+": {path: {"+operator+"}}}}")
				looks := 0
				clock := &cond.Steps{Look: func() { looks++ }}
				var list diag.List
				if got := program.Eval(clock.Use(cond.NewEvaluation(s)), cond.Limits{}, &list); got != cond.TriOf(op == "none") || len(list) > 0 {
					t.Errorf("%s of %s, %s: %s %v", op, name, operator, got, list)
				}
				if looks < array.least {
					t.Errorf("%s of %s, %s: the clock was looked at %d times", op, name, operator, looks)
				}
			}
		}
	}
}

// TestHeavyGlobsEnd: a glob that has much to try at each offset of a long text ends
// with the condition's time.
func TestHeavyGlobsEnd(t *testing.T) {
	s := empty().With("clipboard.text", facts.Text(strings.Repeat("a", 1<<20)))
	for _, pattern := range []string{
		"*" + strings.Repeat("a?", 2000) + "b*",
		"*" + strings.Repeat("{a,aa}", 200) + "b*",
	} {
		result, _, list := both(t, "{clipboard.text: {glob: '"+pattern+"'}}", s, cond.Limits{Condition: time.Nanosecond, Matching: time.Hour})
		if result != cond.Null || list[0].Code != diag.ConditionTimeout {
			t.Errorf("%.20s: %s %v", pattern, result, list)
		}
	}
	// What ordinary globs ask for is never too slow to look for.
	if got, _, _ := decide(t, "{clipboard.text: {glob: '*a?b*c[de]*'}}", s); got != cond.False {
		t.Errorf("got %s", got)
	}
}

// TestExplainOfManyParts: what is missing is told once for each position, and a list
// stays short however many positions there are.
func TestExplainOfManyParts(t *testing.T) {
	parts := make([]string, 3000)
	for i := range parts {
		parts[i] = "{clipboard.text: {equals: x}}"
	}
	_, program, _ := compile(t, "{all: ["+strings.Join(parts, ", ")+"]}")
	var list diag.List
	program.Explain(cond.NewEvaluation(empty()), cond.Limits{}, &list, false)
	if len(list) < diag.MaxPerFile || len(list) > 3*diag.MaxPerFile {
		t.Errorf("%d diagnostics of %d parts", len(list), len(parts))
	}
	ev, fields := cond.NewEvaluation(files(file("path", "/a"), file("path", "/b"), file("path", "/c"))), []string{}
	for i := range 40 {
		fields = append(fields, fmt.Sprintf("field%d: {equals: x}", i))
	}
	_, program, _ = compile(t, "{attachments.files: {any: {"+strings.Join(fields, ", ")+"}}}")
	for range 2 { // what one explanation has told, the next one tells again
		var list diag.List
		if program.Explain(ev, cond.Limits{}, &list, false); len(list) != len(fields) {
			t.Errorf("%d diagnostics of %d fields of three items", len(list), len(fields))
		}
	}
}

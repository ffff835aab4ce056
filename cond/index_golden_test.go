package cond_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/goldentest"
)

// setOf compiles conditions that stand one after the other, separated by bars. Those
// after "short " have limits of their own.
func setOf(t *testing.T, list string, limits cond.Limits) []cond.Condition {
	t.Helper()
	var conditions []cond.Condition
	for when := range strings.SplitSeq(list, " | ") {
		rest, short := strings.CutPrefix(when, "short ")
		_, program, problems := compile(t, rest)
		if problems.HasErrors() {
			t.Fatalf("%s: %v", when, problems)
		}
		own := limits
		if short {
			own = cond.Limits{Matching: 60 * time.Millisecond, Condition: 25 * time.Millisecond, Regex: 20 * time.Millisecond, VisualQuery: 22 * time.Millisecond}
		}
		conditions = append(conditions, cond.Condition{Program: program, Limits: own})
	}
	return conditions
}

// TestPlans holds how sets of conditions are looked for: a wrong way in is found by
// comparing answers, one that is slow only here.
func TestPlans(t *testing.T) {
	full := fullSnapshot()
	goldentest.Questions(t, "testdata/plans.golden", *update, func(list string) string {
		conditions := setOf(t, list, patient)
		var walked, matched []int
		cond.Walk(t.Context(), conditions, cond.NewEvaluation(full), func(h cond.Hit) { walked = append(walked, h.Condition) })
		cond.NewSet(slices.Clone(conditions)).Match(t.Context(), cond.NewEvaluation(full), func(h cond.Hit) { matched = append(matched, h.Condition) })
		slices.Sort(walked)
		slices.Sort(matched)
		if !slices.Equal(walked, matched) {
			t.Errorf("%s: walking finds %v, the index %v", list, walked, matched)
		}
		return cond.Plan(conditions) + fmt.Sprintf("true %v\n", matched)
	})
}

// clocked are the times of the clock in a question: "50ms, look 1ms, budget 1s, share: ...".
type clocked struct {
	look, budget time.Duration
	share        bool
	costs        []time.Duration // of the expressions and queries that begin with a digit: by that
}

func (c *clocked) log() *cond.Log {
	return &cond.Log{PerLook: c.look, Cost: func(what string) time.Duration {
		at := strings.IndexAny(what, "0123456789")
		return c.costs[int(what[at]-'0')%len(c.costs)]
	}}
}

// TestClock holds how the time of conditions and of whole matches is spent: what
// gets which turn, in which order, and who is told what when it is over. An
// expression or query takes what its digit says.
func TestClock(t *testing.T) {
	snapshots := map[string]*facts.Snapshot{"": fullSnapshot(), "long": longSnapshot()}
	goldentest.Questions(t, "testdata/clock.golden", *update, func(question string) string {
		head, list, _ := strings.Cut(question, ": ")
		c, snapshot := clocked{}, snapshots[""]
		for word := range strings.FieldsSeq(head) {
			name, value, _ := strings.Cut(word, "=")
			duration, _ := time.ParseDuration(value)
			switch name {
			case "look":
				c.look = duration
			case "budget":
				c.budget = duration
			case "share":
				c.share = true
			case "long":
				snapshot = snapshots["long"]
			default:
				for one := range strings.SplitSeq(name, ",") {
					duration, err := time.ParseDuration(one)
					if err != nil {
						t.Fatal(err)
					}
					c.costs = append(c.costs, duration)
				}
			}
		}
		conditions := setOf(t, list, cond.Limits{})
		var b strings.Builder
		set := cond.NewSet(slices.Clone(conditions))
		for _, way := range []struct {
			name string
			run  func(ev *cond.Evaluation, yield func(cond.Hit))
		}{
			{"walk", func(ev *cond.Evaluation, yield func(cond.Hit)) { cond.Walk(t.Context(), conditions, ev, yield) }},
			{"index", func(ev *cond.Evaluation, yield func(cond.Hit)) { set.Match(t.Context(), ev, yield) }},
			{"explain", func(ev *cond.Evaluation, yield func(cond.Hit)) {
				for i := range conditions {
					var told diag.List
					result, trace := conditions[i].Program.Explain(ev, conditions[i].Limits, &told, false)
					yield(cond.Hit{Condition: i, Result: result, Diagnostics: told})
					charged, spare := ev.Charged()
					fmt.Fprintf(&b, "%s    charged %s, spare %s\n", drawn(trace, "    "), charged, spare)
				}
			}},
		} {
			log := c.log()
			ev := log.Use(cond.NewEvaluation(snapshot))
			if c.share {
				ev.ShareSlow()
			}
			ev.SetBudget(c.budget)
			var hits []string
			way.run(ev, func(h cond.Hit) {
				hits = append(hits, fmt.Sprintf("  %d %s\n%s", h.Condition, h.Result, spelled("    *", h.Diagnostics)))
			})
			fmt.Fprintf(&b, "%s\n", way.name)
			for _, line := range log.Lines {
				fmt.Fprintf(&b, "  %s\n", line)
			}
			if way.name == "index" { // which has no order of its own
				slices.SortStableFunc(hits, func(x, y string) int { return strings.Compare(x, y) })
			}
			b.WriteString(strings.Join(hits, ""))
		}
		return b.String()
	})
}

// longSnapshot has an array that is slow for its length.
func longSnapshot() *facts.Snapshot {
	items := make([]facts.Value, 5000)
	for i := range items {
		items[i] = file("path", fmt.Sprintf("/w/%d%s", i, strings.Repeat("x", i%200)), "extension", ".go")
	}
	return fullSnapshot().With("attachments.files", facts.List(items...)).With("clipboard.text", facts.Text(strings.Repeat("ab ", 100)))
}

// going is a context that is over after some looks at it.
type going struct {
	context.Context
	looks int
}

func (g *going) Err() error {
	if g.looks--; g.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestMatchEndsWithItsContext: nobody waits for a match that nobody waits for. Walking looks at
// every condition, the index now and then.
func TestMatchEndsWithItsContext(t *testing.T) {
	snapshot := fullSnapshot()
	for _, c := range []struct {
		when    string
		n       int
		looks   int
		walking int // hits of walking
		indexed int
	}{
		{"true", 700, 0, 0, 63},
		{"true", 700, 1, 1, 127},
		{"true", 700, 10, 10, 700},
		{"true", 63, 0, 0, 63},
		{"true", 64, 0, 0, 63},
		{"true", 700, 1000, 700, 700},
		{"{clipboard.text: {equals: hello world}}", 700, 0, 0, 0},
		{"{clipboard.text: {equals: hello world}}", 700, 1, 1, 255},
		{"{clipboard.text: {equals: hello world}}", 700, 2, 2, 511},
		{"{clipboard.text: {equals: hello world}}", 700, 3, 3, 700},
		{"{clipboard.text: {equals: hello world}}", 255, 1, 1, 255},
		{"{clipboard.text: {length: {min: 1}}}", 3, 0, 0, 0},
		{"{clipboard.text: {length: {min: 1}}}", 3, 1, 1, 3},
		{"{clipboard.text: {regex: '.'}}", 5, 0, 0, 0},
		{"{clipboard.text: {regex: '.'}}", 5, 9, 2, 5},
	} {
		condition := setOf(t, c.when, patient)[0]
		conditions := slices.Repeat([]cond.Condition{condition}, c.n)
		count := func(run func(ctx context.Context, yield func(cond.Hit))) (trues int) {
			run(&going{t.Context(), c.looks}, func(h cond.Hit) {
				if h.Result == cond.True {
					trues++
				}
			})
			return trues
		}
		walking := count(func(ctx context.Context, yield func(cond.Hit)) {
			cond.Walk(ctx, conditions, cond.NewEvaluation(snapshot), yield)
		})
		indexed := count(func(ctx context.Context, yield func(cond.Hit)) {
			cond.NewSet(slices.Clone(conditions)).Match(ctx, cond.NewEvaluation(snapshot), yield)
		})
		if walking != c.walking || indexed != c.indexed {
			t.Errorf("%d of %s after %d looks: walking %d, want %d; the index %d, want %d", c.n, c.when, c.looks, walking, c.walking, indexed, c.indexed)
		}
	}
}

// TestBudgetOfQuickOnes: of conditions without anything slow, one in sixty-four asks whether
// the budget is over; walking looks at the clock for each. When it is over, all that are left are told of, and those that waited.
func TestBudgetOfQuickOnes(t *testing.T) {
	snapshot := fullSnapshot()
	for _, c := range []struct {
		budget           time.Duration // each look at the clock takes a millisecond
		walking, indexed int           // how many are decided
	}{{1 * time.Millisecond, 62, 63}, {2 * time.Millisecond, 62, 127}, {3 * time.Millisecond, 62, 191}, {4 * time.Millisecond, 62, 198}, {63 * time.Millisecond, 62, 198}, {64 * time.Millisecond, 125, 198}} {
		conditions := slices.Repeat(setOf(t, "true", patient), 200)
		conditions[5] = setOf(t, "{clipboard.text: {regex: 'h'}}", cond.Limits{})[0]
		conditions[77] = setOf(t, "{clipboard.text: {regex: 'w'}}", cond.Limits{})[0]
		for name, run := range map[string]func(ev *cond.Evaluation, yield func(cond.Hit)){
			"walk": func(ev *cond.Evaluation, yield func(cond.Hit)) { cond.Walk(t.Context(), conditions, ev, yield) },
			"index": func(ev *cond.Evaluation, yield func(cond.Hit)) {
				cond.NewSet(slices.Clone(conditions)).Match(t.Context(), ev, yield)
			},
		} {
			log := &cond.Log{PerLook: time.Millisecond, Cost: func(string) time.Duration { return time.Hour }}
			ev := log.Use(cond.NewEvaluation(snapshot))
			ev.SetBudget(c.budget)
			trues, told, seen := 0, 0, map[int]bool{}
			run(ev, func(h cond.Hit) {
				if seen[h.Condition] {
					t.Errorf("%s: %d twice", name, h.Condition)
				}
				seen[h.Condition] = true
				switch {
				case h.Result == cond.True:
					trues++
				case len(h.Diagnostics) == 1 && h.Diagnostics[0].Code == diag.MatchBudget:
					told++
				}
			})
			if want := map[string]int{"walk": c.walking, "index": c.indexed}[name]; trues != want || trues+told != 200 {
				t.Errorf("%s within %s: %d true, %d told of", name, c.budget, trues, told)
			}
		}
	}
}

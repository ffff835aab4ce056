package cond_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// numbered is an array of texts, none of which is what conditions ask for.
func numbered(n, bytes int) facts.Value {
	items := make([]facts.Value, n)
	for i := range items {
		items[i] = facts.Text(strings.Repeat("x", bytes))
	}
	return facts.List(items...)
}

// TestLongArraysWait: conditions on the items of arrays are decided in their turn as long as all
// arrays are short, and after what is quick when one is long, which no other value is.
func TestLongArraysWait(t *testing.T) {
	conditions := setOf(t, "{clipboard.files: {none: {path: {equals: x}}}} | true | {clipboard.files: {none: {path: {regex: x}}}} | true", patient)
	for _, c := range []struct {
		path string
		n    int
		want []int
	}{
		{"assistant.model.modalities", 0, []int{0, 1, 3, 2}},
		{"assistant.model.modalities", 4095, []int{0, 1, 3, 2}},
		{"assistant.model.modalities", 4096, []int{1, 3, 0, 2}},
		{"clipboard.text", 4096, []int{0, 1, 3, 2}},
	} {
		snapshot := fullSnapshot().With(c.path, numbered(c.n, 1))
		var order []int
		cond.Walk(t.Context(), conditions, cond.NewEvaluation(snapshot), func(h cond.Hit) { order = append(order, h.Condition) })
		if !slices.Equal(order, c.want) {
			t.Errorf("%d items at %s: %v, want %v", c.n, c.path, order, c.want)
		}
	}
}

// TestLooksAtTheClock: of a long array the clock is looked at once at first, and after every 256 steps: an item is one,
// and so are 64 bytes of its text.
func TestLooksAtTheClock(t *testing.T) {
	for _, c := range []struct{ items, bytes, looks int }{
		{4095, 1000, 0},
		{4096, 0, 17},
		{4096, 63, 17},
		{4096, 64, 32},
		{4096, 127, 32},
		{4096, 128, 48},
		{4351, 1, 17},
		{4352, 1, 18},
	} {
		for _, when := range []string{"{assistant.model.modalities: {none: {equals: zz}}}", "{attachments.files: {none: {path: {equals: zz}}}}"} {
			s := fullSnapshot().With("assistant.model.modalities", numbered(c.items, c.bytes))
			files := make([]facts.Value, c.items)
			for i := range files {
				files[i] = file("path", strings.Repeat("x", c.bytes))
			}
			looks := 0
			clock := &cond.Steps{Look: func() { looks++ }}
			ev := clock.Use(cond.NewEvaluation(s.With("attachments.files", facts.List(files...))))
			if got := setOf(t, when, patient)[0].Program.Eval(ev, patient, nil); got != cond.True || looks != c.looks {
				t.Errorf("%s of %d items of %d bytes: %s after %d looks, want %d", when, c.items, c.bytes, got, looks, c.looks)
			}
		}
	}
}

// TestNegligiblePrices: what took others no more than a thousandth of a strategy's time costs it nothing, and what took more
// is taken from it.
func TestNegligiblePrices(t *testing.T) {
	limits := cond.Limits{Matching: 1024 * time.Millisecond, Condition: time.Hour, Regex: time.Hour}
	conditions := setOf(t, "{clipboard.text: {regex: 'h'}} | {all: [{clipboard.text: {regex: 'h'}}, {clipboard.text: {regex: 'e'}}]}", limits)
	set := cond.NewSet(conditions)
	for cost, want := range map[time.Duration]cond.Tri{
		time.Millisecond:                        cond.True,
		time.Millisecond + 500*time.Nanosecond:  cond.Null,
		time.Millisecond - 1500*time.Nanosecond: cond.True,
	} {
		clock := &cond.Steps{Cost: func(what string) time.Duration {
			if what == "h" {
				return cost
			}
			return 1023200 * time.Microsecond
		}}
		results := map[int]cond.Tri{}
		set.Match(t.Context(), clock.Use(cond.NewEvaluation(fullSnapshot())), func(h cond.Hit) { results[h.Condition] = h.Result })
		if results[0] != cond.True || results[1] != want {
			t.Errorf("after %s: %v, want %s", cost, results, want)
		}
	}
}

// TestSharedFromAMillisecondOn: a condition that took others a millisecond is not asked again, a quicker one is.
func TestSharedFromAMillisecondOn(t *testing.T) {
	conditions := setOf(t, "{clipboard.text: {regex: 'h'}} | {clipboard.text: {regex: 'h'}}", patient)
	for cost, want := range map[time.Duration]int{time.Millisecond: 1, time.Millisecond - 1: 2} {
		asked := 0
		clock := &cond.Steps{Cost: func(string) time.Duration { asked++; return cost }}
		ev := clock.Use(cond.NewEvaluation(fullSnapshot()))
		ev.ShareSlow()
		for _, c := range conditions {
			if got := c.Program.Eval(ev, c.Limits, nil); got != cond.True {
				t.Errorf("%s: %s", cost, got)
			}
		}
		if asked != want {
			t.Errorf("what takes %s was asked %d times, want %d", cost, asked, want)
		}
	}
}

// TestTightTurns: when half of the budget is over, those that have had no turn share half of what is left, in turns that are
// not too short to be worth a look at the clock.
func TestTightTurns(t *testing.T) {
	for programs, want := range map[int]time.Duration{3: 100 * time.Microsecond, 11: 20 * time.Microsecond, 12: 20 * time.Microsecond, 40: 20 * time.Microsecond} {
		var list []string
		for i := range programs {
			list = append(list, "{clipboard.text: {regex: '"+strings.Repeat("h", i+1)+"'}}")
		}
		log := &cond.Log{Cost: func(what string) time.Duration {
			if what == "h" {
				return 600 * time.Microsecond
			}
			return time.Hour
		}}
		ev := log.Use(cond.NewEvaluation(fullSnapshot()))
		ev.SetBudget(time.Millisecond)
		cond.Walk(t.Context(), setOf(t, strings.Join(list, " | "), patient), ev, func(cond.Hit) {})
		if end := " of " + want.String(); !strings.HasSuffix(log.Lines[1], end) {
			t.Errorf("%d programs: %s, want%s", programs, log.Lines[1], end)
		}
	}
}

// TestRounds: of programs that do not end, all have a first turn, unless the turns end so late that a quarter of the budget is
// lost; later rounds end when an eighth of what is left is lost.
func TestRounds(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, "{clipboard.text: {regex: '"+strings.Repeat("h", i+1)+"'}}")
	}
	conditions := setOf(t, strings.Join(list, " | "), patient)
	for late, want := range map[time.Duration][2]int{0: {30, 6}, 50 * time.Millisecond: {6, 2}, 49 * time.Millisecond: {6, 2}, 51 * time.Millisecond: {5, 2}} {
		log := &cond.Log{Late: late, Cost: func(string) time.Duration { return time.Hour }}
		ev := log.Use(cond.NewEvaluation(fullSnapshot()))
		ev.SetBudget(time.Second)
		cond.Walk(t.Context(), conditions, ev, func(cond.Hit) {})
		var got [2]int
		for _, line := range log.Lines {
			for round, turn := range []string{" of 5ms", " of 20ms"} {
				if strings.HasSuffix(line, turn) {
					got[round]++
				}
			}
		}
		if got != want {
			t.Errorf("%s late: %d first turns and %d second ones, want %d", late, got[0], got[1], want)
		}
	}
}

// TestDefaultsAsInTheReference: limits that nobody has set are those that the reference names.
func TestDefaultsAsInTheReference(t *testing.T) {
	data, err := os.ReadFile("../docs/reference/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	limits := cond.DefaultLimits()
	for name, limit := range map[string]time.Duration{
		"matchingTimeout": limits.Matching, "conditionTimeout": limits.Condition, "regexTimeout": limits.Regex,
		"visualQueryTimeout": limits.VisualQuery, "extraTimeout": limits.Extra, "matchBudget": cond.DefaultBudget,
	} {
		found := regexp.MustCompile("\\| `options\\." + name + "` \\| duration \\| `(.*?)` \\|").FindStringSubmatch(string(data))
		if found == nil || found[1] != limit.String() {
			t.Errorf("%s is %s, and the reference says %q", name, limit, found)
		}
	}
}

// TestDurationsOfAMatch: what conditions are told to have taken is never more than the whole match took, however many
// were decided together.
func TestDurationsOfAMatch(t *testing.T) {
	var list []string
	for range 50 {
		list = append(list, "{clipboard.text: {contains: needle}}", "{any: [{clipboard.text: {contains: needle}}, {clipboard.text: {contains: pin}}]}")
	}
	set := cond.NewSet(setOf(t, strings.Join(list, " | "), patient))
	snapshot := empty().With("clipboard.text", facts.Text(strings.Repeat("hay ", 1<<18)+"needle"))
	hits, sum := 0, time.Duration(0)
	began := time.Now()
	set.Match(t.Context(), cond.NewEvaluation(snapshot), func(h cond.Hit) { hits, sum = hits+1, sum+h.Duration })
	if took := time.Since(began); hits != len(list) || sum > took {
		t.Errorf("%d of %d, %s together, and the match took %s", hits, len(list), sum, took)
	}
}

// TestDurationsOfTurns: a slow condition is told to have taken its own time, not that of the one before it.
func TestDurationsOfTurns(t *testing.T) {
	conditions := setOf(t, "{clipboard.text: {regex: 'z'}} | {clipboard.text: {regex: 'h'}}", patient)
	var after time.Time // the first one
	clock := &cond.Steps{Cost: func(what string) time.Duration {
		for began := time.Now(); what == "z" && time.Since(began) < 5*time.Millisecond; {
			after = time.Now()
		}
		return 0
	}}
	cond.Walk(t.Context(), conditions, clock.Use(cond.NewEvaluation(fullSnapshot())), func(h cond.Hit) {
		if most := time.Since(after); h.Condition != 1 || h.Duration > most {
			t.Errorf("condition %d took %s, at most %s", h.Condition, h.Duration, most)
		}
	})
}

// TestDurationsOfExplain: every part is told to have taken what it took, and what others paid for results that it took over.
func TestDurationsOfExplain(t *testing.T) {
	conditions := setOf(t, "{clipboard.text: {regex: 'h'}} | {clipboard.text: {regex: 'e'}} | {all: [{clipboard.text: {regex: 'h'}}, {clipboard.text: {regex: 'e'}}]}", patient)
	const price = time.Hour / 4
	clock := &cond.Steps{Cost: func(string) time.Duration { return price }}
	ev := clock.Use(cond.NewEvaluation(fullSnapshot()))
	ev.ShareSlow()
	for _, c := range conditions[:2] {
		c.Program.Eval(ev, c.Limits, nil)
	}
	ev.ShareSlow() // once more changes nothing
	began := time.Now()
	_, tree := conditions[2].Program.Explain(ev, conditions[2].Limits, nil, false)
	took := time.Since(began)
	for part, least := range map[*cond.Trace]time.Duration{tree: 2 * price, tree.Children[0]: price, tree.Children[1]: price} {
		if part.Duration < least || part.Duration > least+took {
			t.Errorf("%s %s took %s, want %s and %s at most", part.Kind, part.Label, part.Duration, least, took)
		}
	}
}

// TestOutOfBudgetWithoutCondition: a strategy without a condition has no position to show.
func TestOutOfBudgetWithoutCondition(t *testing.T) {
	expr, _ := cond.Parse(nil)
	program, _ := cond.Compile(expr)
	ev := cond.NewEvaluation(empty())
	ev.SetBudget(time.Second)
	if got, want := spelled("", diag.List{ev.OutOfBudget(program)}), " warning match.budget at -: the whole match took longer than 1s | 1s\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if list := cond.Check(nil); len(list) > 0 {
		t.Errorf("of nothing is told %v", list)
	}
}

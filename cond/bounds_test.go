package cond_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/regex"
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

// TestHopeless: what was not finished is asked for again only by who has more than a thirty-second part more time for it.
func TestHopeless(t *testing.T) {
	limits := cond.Limits{Matching: 33 * time.Millisecond, Condition: time.Hour, Regex: time.Hour}
	conditions := setOf(t, "{all: [{clipboard.text: {regex: 'h'}}, {clipboard.text: {regex: 'e'}}]} | {clipboard.text: {regex: 'e'}}", limits)
	for first, want := range map[time.Duration]int{time.Millisecond: 1, time.Millisecond + 32: 2, time.Millisecond - 32: 1, 10 * time.Millisecond: 2} {
		asked := 0
		clock := &cond.Steps{Cost: func(what string) time.Duration {
			if what == "h" {
				return first
			}
			asked++
			return time.Hour
		}}
		ev := clock.Use(cond.NewEvaluation(fullSnapshot()))
		ev.ShareSlow()
		for _, c := range conditions {
			if got := c.Program.Eval(ev, c.Limits, nil); got != cond.Null {
				t.Errorf("%s: %s", first, got)
			}
		}
		if asked != want {
			t.Errorf("after %s it was asked for %d times, want %d", first, asked, want)
		}
	}
}

// TestUnfinishedQueries: what a query came to before its time was over is shown, and nothing that was not asked.
func TestUnfinishedQueries(t *testing.T) {
	tree := facts.NewTreeWithTexts([]facts.Element{button("n"), button("m")}, []facts.ElementText{{Text: "t", OK: true}, {Text: manyA.Text(), OK: true}})
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: tree})
	limits := patient
	limits.Regex = time.Millisecond
	result, trace, list := both(t, `{visual.match: {query: "//Button[matches(@text,'^(?:t|(?:(a+)+\\1)+)$')]/@name", equals: zz}}`, s, limits)
	if result != cond.Null || len(trace.Children) != 1 || trace.Children[0].Kind != "item" || len(list) != 1 || list[0].Code != diag.RegexTimeout {
		t.Errorf("%s, %v\n%s", result, list, drawn(trace, ""))
	}
	// The index leaves it to the condition to say why.
	for code, limits := range map[diag.Code]cond.Limits{diag.RegexTimeout: limits, diag.VisualQueryTimeout: {Matching: time.Hour, Condition: time.Hour, Regex: time.Hour, VisualQuery: 1}} {
		set := cond.NewSet(setOf(t, `{visual.match: {query: "//Button[matches(@text,'^(?:t|(?:(a+)+\\1)+)$')]/@name", equals: zz}}`, limits))
		told := 0
		set.Match(t.Context(), cond.NewEvaluation(s), func(h cond.Hit) {
			if told++; h.Result != cond.Null || len(h.Diagnostics) != 1 || h.Diagnostics[0].Code != code {
				t.Errorf("%s: %s, %v", code, h.Result, h.Diagnostics)
			}
		})
		if told != 1 {
			t.Errorf("%s: told of %d times", code, told)
		}
	}
}

// TestQueriesForNobody: a query is not asked when nobody waits for its answer any more.
func TestQueriesForNobody(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	ev := cond.NewEvaluation(fullSnapshot())
	ev.SetContext(ctx)
	var list diag.List
	result, trace := setOf(t, "{visual.count: {query: //Button, min: 1}}", patient)[0].Program.Explain(ev, patient, &list, false)
	if result != cond.Null || len(trace.Children) > 0 || len(list) != 1 || list[0].Code != diag.StrategyTimeout {
		t.Errorf("%s, %v\n%s", result, list, drawn(trace, ""))
	}
}

// TestTruncatedByTheIndex: that an expression did not see all of a text is told by the index too, whatever it found.
func TestTruncatedByTheIndex(t *testing.T) {
	s := empty().With("clipboard.text", facts.Text(strings.Repeat("a", regex.MaxText+1)))
	conditions := setOf(t, "{clipboard.text: {regex: '[^a]'}} | {clipboard.text: {regex: '[^b]'}} | {all: [{clipboard.text: {regex: '[^ab]'}}, {clipboard.text: {length: {min: 1}}}]}", patient)
	told := func(match func(ev *cond.Evaluation, yield func(cond.Hit))) string {
		said := make([]string, len(conditions))
		clock := &cond.Steps{Cost: func(string) time.Duration { return 0 }}
		match(clock.Use(cond.NewEvaluation(s)), func(h cond.Hit) { said[h.Condition] = h.Result.String() + " " + spelled("", h.Diagnostics) })
		return strings.Join(said, "")
	}
	walked := told(func(ev *cond.Evaluation, yield func(cond.Hit)) { cond.Walk(t.Context(), conditions, ev, yield) })
	indexed := told(func(ev *cond.Evaluation, yield func(cond.Hit)) {
		cond.NewSet(slices.Clone(conditions)).Match(t.Context(), ev, yield)
	})
	if walked != indexed || strings.Count(walked, "regex.truncated") != 3 {
		t.Errorf("walking says\n%s, the index\n%s", walked, indexed)
	}
}

// TestFoldedItems: every letter of an item is the same in both cases, and nothing but letters is.
func TestFoldedItems(t *testing.T) {
	for c := byte('!'); c < 0x7F; c++ {
		item, wanted := string(c)+"1", string(c|0x20)+"1"
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		s := empty().With("assistant.model.modalities", facts.Texts(item))
		when := fmt.Sprintf("{assistant.model.modalities: {any: {startsWith: %q}}}", wanted)
		if got, _, _ := decide(t, when, s); got != cond.TriOf(letter || item == wanted) {
			t.Errorf("%s of %q: %s", when, item, got)
		}
	}
}

// TestChargedByTheIndex: who is found by something that took long is told to have taken that, also the first of all conditions,
// and looks at the clock for what is found in a long array.
func TestChargedByTheIndex(t *testing.T) {
	const price = time.Hour / 4
	clock := &cond.Steps{Cost: func(string) time.Duration { return price }}
	conditions := setOf(t, "{clipboard.text: {regex: 'h|.'}} | {all: [{clipboard.text: {regex: 'h|.'}}, {clipboard.text: {regex: 'e|.'}}]}", patient)
	least := []time.Duration{price, price} // the second one comes to the rest itself
	cond.NewSet(conditions).Match(t.Context(), clock.Use(cond.NewEvaluation(fullSnapshot())), func(h cond.Hit) {
		if h.Result != cond.True || h.Duration < least[h.Condition] || h.Duration > least[h.Condition]+price/2 {
			t.Errorf("condition %d: %s after %s, want %s", h.Condition, h.Result, h.Duration, least[h.Condition])
		}
	})
	for n, want := range map[int]bool{4095: false, 4096: true} {
		looks, found := 0, 0
		clock := &cond.Steps{Look: func() { looks++ }}
		set := cond.NewSet(setOf(t, "{assistant.model.modalities: {any: {equals: x}}}", patient))
		set.Match(t.Context(), clock.Use(cond.NewEvaluation(fullSnapshot().With("assistant.model.modalities", numbered(n, 1)))), func(cond.Hit) { found++ })
		if found != 1 || looks > 0 != want {
			t.Errorf("%d items: %d found, the clock was looked at %d times", n, found, looks)
		}
	}
}

// TestLooksAtWhoWaits: whoever waits is looked at after every mebibyte that operators go through; an operator counts as 64 bytes of
// its own, and so does each item of an array.
func TestLooksAtWhoWaits(t *testing.T) {
	const operator, look = 64, 1 << 20
	for _, c := range []struct {
		when  string
		value facts.Value
		looks int
	}{
		{"{assistant.name: {equals: y}}", facts.Text(strings.Repeat("x", look-operator-1)), 0},
		{"{assistant.name: {equals: y}}", facts.Text(strings.Repeat("x", look-operator)), 1},
		{"{assistant.name: {contains: y}}", facts.Text(strings.Repeat("x", 3*look)), 1},
		{"{any: [{assistant.name: {equals: y}}, {assistant.name: {equals: z}}]}", facts.Text(strings.Repeat("x", look/2-operator-1)), 0},
		{"{any: [{assistant.name: {equals: y}}, {assistant.name: {equals: z}}]}", facts.Text(strings.Repeat("x", look/2-operator)), 1},
		{"{any: [{assistant.name: {equals: y}}, {assistant.name: {equals: z}}, {assistant.name: {equals: a}}]}", facts.Text(strings.Repeat("x", look/2-operator)), 1},
		{"{assistant.name: {contains: y}}", numbered(look/operator-2, 1), 0},
		{"{assistant.name: {contains: y}}", numbered(look/operator-1, 1), 1},
		{"{assistant.name: {containsAny: [y]}}", numbered(look/operator/2-2, 1), 0},
		{"{assistant.name: {containsAny: [y]}}", numbered(look/operator/2-1, 1), 1},
		{"{not: {assistant.name: {containsAll: [x]}}}", numbered(look/operator/2-2, 1), 0},
		{"{not: {assistant.name: {containsAll: [x]}}}", numbered(look/operator/2-1, 1), 1},
	} {
		for left, want := range map[int]cond.Tri{100: cond.False, 0: cond.Null} {
			ctx := &leaving{t.Context(), left}
			ev := cond.NewEvaluation(empty().With("assistant.name", c.value))
			ev.SetContext(ctx)
			if c.looks == 0 {
				want = cond.False
			}
			if got := setOf(t, c.when, patient)[0].Program.Eval(ev, patient, nil); got != want || left > 0 && left-ctx.looks != c.looks {
				t.Errorf("%s of %d bytes and %d items: %s after %d looks, want %s after %d", c.when, len(c.value.Text()), len(c.value.Items()), got, left-ctx.looks, want, c.looks)
			}
		}
	}
}

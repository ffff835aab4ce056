package cond_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/regex"
)

// catastrophic takes a backtracking engine longer than anybody waits, on a text of a few dozen letters; the back-reference keeps
// it away from engines that would not mind.
const catastrophic = `'^(?:(a+)+\1)+$'`

var manyA = facts.Text(strings.Repeat("a", 100) + "b")

func both(t *testing.T, when string, s *facts.Snapshot, limits cond.Limits) (result cond.Tri, trace *cond.Trace, list diag.List) {
	t.Helper()
	_, program, problems := compile(t, when)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	var matched diag.List
	result = program.Eval(cond.NewEvaluation(s), limits, &matched)
	again, trace := program.Explain(cond.NewEvaluation(s), limits, &list, false)
	if result != again {
		t.Errorf("%s: matching says %s, explain %s", when, result, again)
	}
	if len(matched) == 0 {
		t.Errorf("%s: matching reports nothing", when)
	} else if len(list) == 0 || matched[0].Code != list[0].Code {
		t.Errorf("%s: matching reports %v, explain %v", when, matched, list)
	}
	return result, trace, list
}

func TestRegexTimeout(t *testing.T) {
	s := empty().With("clipboard.text", manyA).With("clipboard.hasText", facts.Flag(true))
	limits := cond.Limits{Regex: time.Millisecond, Condition: 10 * time.Second, Matching: 20 * time.Second}
	result, trace, list := both(t, "{clipboard.text: {regex: "+catastrophic+"}}", s, limits)
	if result != cond.Null || len(list) != 1 || list[0].Code != diag.RegexTimeout || list[0].Path != "clipboard.text" || list[0].Duration != time.Millisecond {
		t.Errorf("%s, %v", result, list)
	}
	if p, ok := list[0].Position(); !ok || p.Line != 1 {
		t.Errorf("no position: %v", list[0])
	}
	if reason := trace.Children[0].Reason; !strings.Contains(reason, "the regular expression took longer than 1ms") {
		t.Errorf("reason = %q", reason)
	}
	for when, want := range map[string]cond.Tri{
		"{any: [{clipboard.text: {regex: " + catastrophic + "}}, true]}":                                 cond.True,
		"{all: [{clipboard.text: {regex: " + catastrophic + "}}, false]}":                                cond.False,
		"{none: [{clipboard.text: {regex: " + catastrophic + "}}]}":                                      cond.Null,
		"{clipboard.text: {regex: " + catastrophic + ", length: {min: 1}}}":                              cond.Null,
		"{all: [{clipboard.text: {regex: " + catastrophic + "}}, {clipboard.text: {length: {min: 1}}}]}": cond.Null,
	} {
		if got, _, _ := both(t, when, s, limits); got != want {
			t.Errorf("%s = %s, want %s", when, got, want)
		}
	}
	// What is cheap goes first: it settles the condition before the expression takes its time.
	if got, _, list := decide(t, "{clipboard.text: {regex: "+catastrophic+", length: {max: 1}}}", s); got != cond.False || len(list) > 1 {
		t.Errorf("a short text: %s, %v", got, list)
	}
}

// TestContextOver: an evaluation ends with whoever waits for it, in the middle of an
// expression and of all that comes after it, whatever its limits are.
func TestContextOver(t *testing.T) {
	s := empty().With("clipboard.text", manyA)
	slow := "{clipboard.text: {regex: " + catastrophic + "}}"
	_, program, problems := compile(t, "{any: ["+slow+", "+slow+", {all: ["+slow+", "+slow+"]}]}")
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	limits := cond.Limits{Regex: time.Hour, Condition: time.Hour, Matching: time.Hour}
	for name, evaluate := range map[string]func(ctx context.Context, ev *cond.Evaluation) cond.Tri{
		"match": func(_ context.Context, ev *cond.Evaluation) cond.Tri { return program.Eval(ev, limits, nil) },
		"explain": func(_ context.Context, ev *cond.Evaluation) cond.Tri {
			result, _ := program.Explain(ev, limits, nil, false)
			return result
		},
		"walk": func(ctx context.Context, ev *cond.Evaluation) cond.Tri {
			result := cond.Null
			cond.Walk(ctx, []cond.Condition{{Program: program, Limits: limits}}, ev, func(hit cond.Hit) { result = hit.Result })
			return result
		},
	} {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond) // long after it has begun, or before: both must end it
		ended := make(chan cond.Tri, 1)
		go func() {
			ev := cond.NewEvaluation(s)
			ev.SetContext(ctx)
			ended <- evaluate(ctx, ev)
		}()
		select {
		case result := <-ended:
			if result != cond.Null {
				t.Errorf("%s: %s", name, result)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s goes on though nobody waits for it", name)
		}
		stop()
	}
}

// leaving is the context of somebody who goes away after it was looked at some times.
type leaving struct {
	context.Context
	looks int
}

func (l *leaving) Err() error {
	if l.looks--; l.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestManyQuickConditionsEnd: thousands of conditions that are quick each, over a long text, end with whoever waits for them.
func TestManyQuickConditionsEnd(t *testing.T) {
	const conditions, text = 5_000, 64 << 10
	var any, list []string
	for i := range conditions {
		any = append(any, fmt.Sprintf("{clipboard.text: {contains: x%d}}", i))
		list = append(list, fmt.Sprintf("x%d", i))
	}
	s := empty().With("clipboard.text", facts.Text(strings.Repeat("a", text)))
	for name, when := range map[string]string{
		"conditions": "{any: [" + strings.Join(any, ", ") + "]}",
		"any":        "{clipboard.text: {containsAny: [" + strings.Join(list, ", ") + "]}}",
		"all":        "{not: {clipboard.text: {containsAll: [a, " + strings.Repeat("aa, ", conditions) + "b]}}}",
	} {
		_, program, problems := compile(t, when)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		for _, explain := range []bool{false, true} {
			for _, c := range []struct {
				looks int
				ends  bool
			}{{3, true}, {1 << 30, false}} {
				ctx := &leaving{t.Context(), c.looks}
				ev := cond.NewEvaluation(s)
				ev.SetContext(ctx)
				var result cond.Tri
				if explain {
					result, _ = program.Explain(ev, cond.Limits{}, nil, false)
				} else {
					result = program.Eval(ev, cond.Limits{}, nil)
				}
				looked := c.looks - ctx.looks
				switch {
				case c.ends && (result != cond.Null || looked > c.looks+2):
					t.Errorf("%s, explain %t: %s, and looked at whoever waits %d times", name, explain, result, looked)
				case !c.ends && (result == cond.Null || looked < 100):
					t.Errorf("%s, explain %t: %s, and looked at whoever waits %d times, in vain", name, explain, result, looked)
				}
			}
		}
	}
}

func TestConditionTimeout(t *testing.T) {
	s := empty().With("clipboard.text", manyA)
	limits := cond.Limits{Regex: 10 * time.Second, Condition: 50 * time.Millisecond, Matching: 20 * time.Second}
	result, _, list := both(t, "{clipboard.text: {regex: "+catastrophic+"}}", s, limits)
	if result != cond.Null || len(list) != 1 || list[0].Code != diag.ConditionTimeout || list[0].Duration != 50*time.Millisecond {
		t.Errorf("%s, %v", result, list)
	}
	// The limit is each condition's own: a slow one leaves the next its time.
	two := "{any: [{clipboard.text: {regex: " + catastrophic + "}}, {clipboard.text: {regex: '^a+'}}]}"
	if got, _, _ := both(t, two, s, limits); got != cond.True {
		t.Errorf("the condition after a slow one = %s, want true", got)
	}
}

func TestMatchingTimeout(t *testing.T) {
	s := empty().With("clipboard.text", manyA)
	limits := cond.Limits{Regex: 10 * time.Second, Condition: 10 * time.Second, Matching: time.Millisecond}
	for _, when := range []string{
		"{clipboard.text: {regex: " + catastrophic + "}}",
		"{any: [{clipboard.text: {regex: " + catastrophic + "}}, true]}", // skipped as a whole, whatever comes after
		"{all: [{clipboard.text: {regex: " + catastrophic + "}}, false]}",
	} {
		result, _, list := both(t, when, s, limits)
		if result != cond.Null || list[0].Code != diag.StrategyTimeout || list[0].Duration != time.Millisecond {
			t.Errorf("%s: %s, %v", when, result, list)
		}
	}
}

// TestItemsRunOut proves that a long array does not outlast the condition's limit.
func TestItemsRunOut(t *testing.T) {
	items := make([]facts.Value, 400_000)
	for i := range items {
		items[i] = file("path", "/x")
	}
	s := files(items...)
	limits := cond.Limits{Condition: time.Nanosecond, Matching: time.Minute}
	result, _, list := both(t, "{attachments.files: {any: {path: {equals: /y}}}}", s, limits)
	if result != cond.Null || list[0].Code != diag.ConditionTimeout {
		t.Errorf("%s, %v", result, list)
	}
}

func TestRegexSeesOneMiB(t *testing.T) {
	long := strings.Repeat("a", regex.MaxText) + "needle"
	s := empty().With("clipboard.text", facts.Text(long))
	result, trace, list := both(t, "{clipboard.text: {regex: needle}}", s, cond.Limits{Regex: time.Minute, Condition: time.Minute, Matching: time.Minute})
	if result != cond.False || len(list) != 1 || list[0].Code != diag.RegexTruncated || list[0].Severity != diag.Info || list[0].Path != "clipboard.text" {
		t.Errorf("%s, %v", result, list)
	}
	if trace.Children[0].Reason == "" {
		t.Error("explain does not say that the text was cut")
	}
	if got, _, _ := decide(t, "{clipboard.text: {contains: needle}}", s); got != cond.True {
		t.Errorf("contains sees the whole text: %s", got)
	}
}

func button(name string) facts.Element {
	return facts.Element{Type: 4, Name: name, HasName: true, Parent: -1}
}

// TestVisualOutcomes has what visual conditions answer besides true and false.
func TestVisualOutcomes(t *testing.T) {
	tree := facts.NewTreeWithTexts([]facts.Element{button("Save"), button("Open"), {ID: "e", Type: 2, Parent: 0}}, make([]facts.ElementText, 3))
	with := func(primary string) *facts.Snapshot {
		s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: tree})
		if primary != "" {
			s = s.With("attachments.visual.primary", facts.Text(primary))
		}
		return s
	}
	absent := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Absent: map[string]facts.Absence{
		facts.Visual: {Code: diag.ExtraPermissionUnavailable, Reason: "the permission to look at the screen is missing"},
	}})
	for _, tt := range []struct {
		name, when string
		snapshot   *facts.Snapshot
		want       cond.Tri
		reason     string
	}{
		{"exists", "{visual.exists: {query: \"//Button[@name='save']\"}}", with(""), cond.True, ""},
		{"exists with case", "{visual.exists: {query: \"//Button[@name='save']\", caseSensitive: true}}", with(""), cond.False, ""},
		{"does not exist", "{visual.exists: {query: //Image}}", with(""), cond.False, ""},
		{"count", "{visual.count: {query: //Button, min: 1, max: 2}}", with(""), cond.True, ""},
		{"count of nothing", "{visual.count: {query: //Image, equals: 0}}", with(""), cond.True, ""},
		{"count out of range", "{visual.count: {query: //Button, max: 1}}", with(""), cond.False, ""},
		{"match", "{visual.match: {query: //Button/@name, equals: open}}", with(""), cond.True, ""},
		{"match with case", "{visual.match: {query: //Button/@name, equals: open, caseSensitive: true}}", with(""), cond.False, ""},
		{"match of nothing", "{visual.match: {query: //Image/@name, contains: ''}}", with(""), cond.False, "the query selects nothing"},
		{"match of another kind", "{visual.match: {query: //Button/@focused, contains: a}}", with(""), cond.False, ""},
		{"match a boolean", "{visual.match: {query: //Button/@focused, equals: false}}", with(""), cond.True, ""},
		{"primary", "{visual.exists: {query: .//TextEdit}}", with("e"), cond.True, ""},
		{"no primary", "{visual.exists: {query: .//TextEdit}}", with(""), cond.Null, "there is no primary element for `.`"},
		{"unknown primary", "{visual.exists: {query: .//TextEdit}}", with("gone"), cond.Null, "there is no primary element for `.`"},
		{"no tree", "{visual.exists: {query: //Button}}", empty(), cond.Null, "no visible elements are in the context"},
		{"no permission", "{visual.count: {query: //Button, min: 1}}", absent, cond.Null, "the permission to look at the screen is missing"},
		{"empty tree", "{visual.exists: {query: //Button}}", facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: facts.NewTree(nil, nil)}), cond.False, ""},
	} {
		result, trace, list := decide(t, tt.when, tt.snapshot)
		if result != tt.want || trace.Reason != tt.reason {
			t.Errorf("%s: %s (%q), want %s (%q)", tt.name, result, trace.Reason, tt.want, tt.reason)
		}
		if tt.want == cond.Null && (len(list) != 1 || list[0].Code != diag.VisualUnavailable || list[0].Path != "visual") {
			t.Errorf("%s: %v", tt.name, list)
		}
	}
}

// TestVisualPartial: of a window that was not read whole, what was found counts, and what was not is unknown.
func TestVisualPartial(t *testing.T) {
	named := func(kind facts.ElementType, name string, parent int) facts.Element {
		return facts.Element{ID: name, Type: kind, Name: name, HasName: true, Parent: parent}
	}
	elements := func(cut ...int) []facts.Element {
		list := []facts.Element{named(facts.TopLevelType, "window", -1), named(31, "panel", 0), named(4, "Save", 1), named(31, "whole", 0), named(4, "Open", 3)}
		for _, i := range cut {
			list[i].Cut = true
		}
		return list
	}
	reason := "not all visible elements were read: the time was over"
	for _, tt := range []struct {
		when      string
		cut       []int
		want      cond.Tri
		unmarked  cond.Tri // where nothing says which elements lack children
		isPrimary string
	}{
		{"{visual.exists: {query: //Button}}", []int{1}, cond.True, cond.True, ""},
		{"{visual.exists: {query: //Image}}", []int{1}, cond.Null, cond.Null, ""},
		{"{none: [{visual.exists: {query: //Image}}]}", []int{1}, cond.Null, cond.Null, ""},
		{"{none: [{visual.exists: {query: //Button}}]}", []int{1}, cond.False, cond.False, ""},
		{"{visual.count: {query: //Button, min: 2}}", []int{1}, cond.True, cond.True, ""},
		{"{visual.count: {query: //Button, min: 3}}", []int{1}, cond.Null, cond.Null, ""},
		{"{visual.count: {query: //Button, max: 2}}", []int{1}, cond.Null, cond.Null, ""},
		{"{visual.count: {query: //Button, max: 1}}", []int{1}, cond.False, cond.False, ""},
		{"{visual.count: {query: //Button, min: 3, max: 1}}", []int{1}, cond.False, cond.False, ""},
		{"{visual.count: {query: //Button, equals: 2}}", []int{1}, cond.Null, cond.Null, ""},
		{"{visual.count: {query: //Button, equals: 1}}", []int{1}, cond.False, cond.False, ""},
		{"{visual.match: {query: //Button/@name, equals: save}}", []int{1}, cond.True, cond.True, ""},
		{"{visual.match: {query: //Button/@name, equals: quit}}", []int{1}, cond.Null, cond.Null, ""},
		{"{visual.match: {query: //TopLevel/@name, equals: quit}}", []int{1}, cond.False, cond.Null, ""}, // windows are in no panel
		{"{visual.exists: {query: /TopLevel/Image}}", []int{1}, cond.False, cond.Null, ""},               // the window's own children are all there
		{"{visual.exists: {query: /TopLevel/Panel/Image}}", []int{1}, cond.Null, cond.Null, ""},
		{"{visual.exists: {query: .//Image}}", []int{1}, cond.Null, cond.Null, "panel"},
		{"{visual.exists: {query: .//Image}}", []int{1}, cond.False, cond.Null, "whole"},
		{"{visual.exists: {query: ./Image}}", []int{2}, cond.False, cond.Null, "panel"},
		{"{visual.match: {query: ./@name, equals: quit}}", []int{1}, cond.False, cond.False, "panel"}, // the primary element itself is there
	} {
		for _, cut := range []bool{true, false} {
			list, want := elements(tt.cut...), tt.want
			if !cut {
				list, want = elements(), tt.unmarked
			}
			s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: facts.NewTree(list, nil).MarkPartial("the time was over")})
			if tt.isPrimary != "" {
				s = s.With("attachments.visual.primary", facts.Text(tt.isPrimary))
			}
			result, trace, problems := decide(t, tt.when, s)
			for trace.Kind == "none" {
				trace = trace.Children[0]
			}
			if result != want || (want == cond.Null) != (trace.Reason == reason) || (want == cond.Null) != (len(problems) == 1 && problems[0].Code == diag.VisualUnavailable) {
				t.Errorf("%s, cut %v: %s (%q) %v, want %s", tt.when, cut, result, trace.Reason, problems, want)
			}
		}
	}
}

func TestVisualTimeouts(t *testing.T) {
	elements := make([]facts.Element, 200_000)
	texts := make([]facts.ElementText, len(elements))
	for i := range elements {
		elements[i] = facts.Element{Type: 4, Name: "n", HasName: true, Parent: i - 1}
		texts[i] = facts.ElementText{Text: "t", OK: true}
	}
	texts[0].Text = manyA.Text()
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: facts.NewTreeWithTexts(elements, texts)})
	long := 10 * time.Minute
	for _, tt := range []struct {
		name   string
		when   string
		limits cond.Limits
		code   diag.Code
	}{
		{"query", "{visual.count: {query: \"//Button//Button//Button[contains(@text,'zz')]\", min: 1}}", cond.Limits{VisualQuery: time.Nanosecond, Condition: long, Matching: long}, diag.VisualQueryTimeout},
		{"condition", "{visual.count: {query: \"//Button//Button//Button[contains(@text,'zz')]\", min: 1}}", cond.Limits{VisualQuery: long, Condition: time.Nanosecond, Matching: long}, diag.ConditionTimeout},
		{"strategy", "{visual.count: {query: \"//Button//Button//Button[contains(@text,'zz')]\", min: 1}}", cond.Limits{VisualQuery: long, Condition: long, Matching: time.Nanosecond}, diag.StrategyTimeout},
		{"regex", "{visual.exists: {query: \"//Button[matches(@text,'^(?:(a+)+\\\\1)+$')]\"}}", cond.Limits{Regex: time.Millisecond, VisualQuery: long, Condition: long, Matching: long}, diag.RegexTimeout},
	} {
		result, _, list := both(t, tt.when, s, tt.limits)
		if result != cond.Null || len(list) == 0 || list[0].Code != tt.code {
			t.Errorf("%s: %s, %v", tt.name, result, list)
		}
	}
}

// TestExplainLooksAtEveryValue guards the bound on what explain records: what it does not record still counts, and what
// settles the result is recorded.
func TestExplainLooksAtEveryValue(t *testing.T) {
	elements := make([]facts.Element, 1500)
	for i := range elements {
		elements[i] = button("x")
	}
	elements[1400].Name = "needle"
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: facts.NewTree(elements, nil)})
	result, trace, _ := decide(t, "{visual.match: {query: //Button/@name, equals: needle}}", s)
	if result != cond.True || len(trace.Children) != 1001 || trace.Unlisted != 499 || trace.Children[1000].Label != "item 1401" {
		t.Errorf("%s, %d recorded, %d not", result, len(trace.Children), trace.Unlisted)
	}
	items := make([]facts.Value, 1500)
	for i := range items {
		items[i] = file("path", "/x")
	}
	items[1400] = file("path", "/needle")
	result, trace, _ = decide(t, "{attachments.files: {any: {path: {equals: /needle}}}}", files(items...))
	operator := trace.Children[0]
	if result != cond.True || len(operator.Children) != 1001 || operator.Unlisted != 499 {
		t.Errorf("%s, %d recorded, %d not", result, len(operator.Children), operator.Unlisted)
	}
	if last := operator.Children[1000]; last.Label != "item 1401 .path" || last.Result != cond.True || len(last.Children) != 1 {
		t.Errorf("what settled it is %q, %s", last.Label, last.Result)
	}
}

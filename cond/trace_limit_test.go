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
)

// size is how many nodes a tree has, how many are not in it, and how many bytes its values have.
func size(t *cond.Trace) (nodes, unlisted, values int) {
	nodes, unlisted = 1, t.Unlisted
	if !t.Value.IsAbsent() {
		data, _ := t.Value.MarshalJSON()
		values = len(data)
	}
	for _, child := range t.Children {
		n, u, v := size(child)
		nodes, unlisted, values = nodes+n, unlisted+u, values+v
	}
	return nodes, unlisted, values
}

// anyOf is a condition with so many parts.
func anyOf(n int, part string) string {
	var b strings.Builder
	b.WriteString("\n  any:\n")
	for i := range n {
		fmt.Fprintf(&b, "    - "+part+"\n", i)
	}
	return b.String()
}

func manyFiles(n int) *facts.Snapshot {
	items := make([]facts.Value, n)
	for i := range items {
		items[i] = file("path", "/a")
	}
	return files(items...)
}

// explained evaluates a condition without a limit of time.
func explained(t *testing.T, when string, s *facts.Snapshot, values bool) (cond.Tri, *cond.Trace, diag.List) {
	t.Helper()
	_, program, list := compile(t, when)
	if list.HasErrors() {
		t.Fatal(list)
	}
	var told diag.List
	result, trace := program.Explain(cond.NewEvaluation(s), cond.Limits{Matching: time.Hour, Condition: time.Hour, Regex: time.Hour, VisualQuery: time.Hour}, &told, values)
	return result, trace, told
}

// TestTreesHaveALimit: however many conditions look at however many items, a tree has so many nodes; each part of the condition
// is among them, and what is not says how much it is.
func TestTreesHaveALimit(t *testing.T) {
	s := manyFiles(1500)
	for name, test := range map[string]struct {
		when  string
		parts int
		whole bool // all parts are in the tree
	}{
		"items":        {anyOf(200, "attachments.files: {any: {path: {equals: zz%d}}}"), 200, true},
		"items' parts": {anyOf(200, "attachments.files: {none: {path: {equals: zz%d, not: {equals: x}}, extension: {equals: y}}}"), 200, true},
		"parts":        {anyOf(15_000, "clipboard.text: {equals: zz%d}"), 15_000, false},
	} {
		result, trace, told := explained(t, test.when, s, false)
		nodes, unlisted, _ := size(trace)
		if nodes > 20_000 || nodes < 15_000 || unlisted == 0 || (len(trace.Children) == test.parts) != test.whole || len(trace.Children)+trace.Unlisted != test.parts {
			t.Errorf("%s: %d nodes, %d not listed; %d parts of %d", name, nodes, unlisted, len(trace.Children), test.parts)
		}
		var plain diag.List
		_, program, _ := compile(t, test.when)
		if want := program.Eval(cond.NewEvaluation(s), cond.Limits{Matching: time.Hour, Condition: time.Hour}, &plain); result != want {
			t.Errorf("%s: %s, without a tree %s", name, result, want)
		}
		ev := cond.NewEvaluation(s)
		var reviewed diag.List
		if again, _ := program.Review(ev, cond.Limits{Matching: time.Hour, Condition: time.Hour}, &reviewed); again != result || len(reviewed) != len(told) {
			t.Errorf("%s: reviewed %s with %d diagnostics, not %s with %d", name, again, len(reviewed), result, len(told))
		}
	}
	_, trace, _ := explained(t, anyOf(200, "attachments.files: {any: {path: {equals: zz%d}}}"), s, false)
	if first := trace.Children[0].Children[0]; len(first.Children) != 1000 || first.Unlisted != 500 {
		t.Errorf("the first has %d items and %d more", len(first.Children), first.Unlisted)
	}
	if last := trace.Children[199].Children[0]; len(last.Children) != 1 || last.Unlisted != 1499 {
		t.Errorf("the last has %d items and %d more", len(last.Children), last.Unlisted)
	}
}

// TestUnlistedItemsAreTold: what is wrong with items is told, also with those that are in no tree.
func TestUnlistedItemsAreTold(t *testing.T) {
	items := make([]facts.Value, 3000)
	for i := range items {
		items[i] = file("path", "/a")
	}
	items[2000], items[2500] = file("extension", ".a"), facts.Fields(facts.Field{Name: "path", Value: facts.Num(1)})
	result, trace, told := explained(t, "{attachments.files: {any: {path: {startsWith: zz}}}}", files(items...), false)
	if operator := trace.Children[0]; result != cond.Null || operator.Unlisted != 2000 {
		t.Errorf("%s, %d not listed", result, operator.Unlisted)
	}
	if len(told) != 2 || told[0].Code != diag.ConditionPathMissing || told[1].Code != diag.ConditionTypeMismatch {
		t.Errorf("told %v", told)
	}
}

// TestTracesTakeLittle: what is evaluated without being recorded takes no memory.
func TestTracesTakeLittle(t *testing.T) {
	few, many := manyFiles(2000), manyFiles(4000)
	_, program, _ := compile(t, anyOf(50, "attachments.files: {any: {path: {equals: zz%d}, extension: {equals: .a}}}"))
	limits := cond.Limits{Matching: time.Hour, Condition: time.Hour}
	allocations := func(s *facts.Snapshot) float64 {
		return testing.AllocsPerRun(1, func() {
			var list diag.List
			program.Explain(cond.NewEvaluation(s), limits, &list, true)
		})
	}
	if a, b := allocations(few), allocations(many); b > a*1.01 {
		t.Errorf("%v allocations for 2,000 items, %v for 4,000", a, b)
	}
}

// TestValuesHaveALimit: of a long value a beginning is recorded, and of many values so much as their sum allows.
func TestValuesHaveALimit(t *testing.T) {
	text := empty().With("clipboard.text", facts.Text(strings.Repeat("é", 1<<20)))
	for name, test := range map[string]struct {
		when string
		s    *facts.Snapshot
	}{
		"texts": {anyOf(3000, `clipboard.text: {contains: "a%d"}`), text},
		"lists": {anyOf(3000, "attachments.files: {count: {min: 5%d}}"), manyFiles(5000)},
	} {
		_, trace, _ := explained(t, test.when, test.s, true)
		_, _, bytes := size(trace)
		if bytes > 5<<20 {
			t.Errorf("%s: %d bytes of values", name, bytes)
		}
		first, last := trace.Children[0], trace.Children[2999]
		if first.Value.IsAbsent() || !first.Cut || !last.Value.IsAbsent() || !last.Cut {
			t.Errorf("%s: first cut %v, last cut %v, absent %v", name, first.Cut, last.Cut, last.Value.IsAbsent())
		}
		if data, _ := first.Value.MarshalJSON(); len(data) > 5<<10 {
			t.Errorf("%s: the first value has %d bytes", name, len(data))
		}
	}
	if _, trace, _ := explained(t, "{clipboard.text: {contains: b}}", empty().With("clipboard.text", facts.Text("abc")), true); trace.Cut || trace.Value.Text() != "abc" {
		t.Errorf("a short value is %q, cut %v", trace.Value.Text(), trace.Cut)
	}
}

// TestLabelsAreShort: what an author wrote is repeated for each node, so no more of it than is shown.
func TestLabelsAreShort(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, when := range []string{
		"{clipboard." + long + ": {equals: a}}",
		"{visual.exists: {query: \"//Button[@name='" + long + "']\"}}",
		"{attachments.files: {any: {" + long + ": {equals: a}}}}",
	} {
		_, trace, _ := explained(t, when, manyFiles(3), false)
		var longest int
		var visit func(t *cond.Trace)
		visit = func(t *cond.Trace) {
			longest = max(longest, len(t.Label))
			for _, child := range t.Children {
				visit(child)
			}
		}
		if visit(trace); longest > 400 {
			t.Errorf("%.20s: a label has %d bytes", when, longest)
		}
	}
}

// TestRoomForTrees: memory is asked for before a tree has it, a small tree asks for none, and where there is none, evaluation ends.
func TestRoomForTrees(t *testing.T) {
	s := manyFiles(1000)
	_, program, _ := compile(t, anyOf(100, "attachments.files: {any: {path: {equals: zz%d}}}"))
	limits := cond.Limits{Matching: time.Hour, Condition: time.Hour}
	explain := func(program *cond.Program, room func(int) bool) (cond.Tri, int) {
		ev := cond.NewEvaluation(s)
		ev.SetRoom(room)
		result, trace := program.Explain(ev, limits, nil, true)
		nodes, _, _ := size(trace)
		return result, nodes
	}
	asked := 0
	result, nodes := explain(program, func(bytes int) bool { asked += bytes; return true })
	if result != cond.False || asked < nodes*128-64<<10 || asked > nodes*1000 {
		t.Errorf("%s: %d bytes for %d nodes", result, asked, nodes)
	}
	times := 0
	result, nodes = explain(program, func(int) bool { times++; return times < 3 })
	if result != cond.Null || times != 3 || nodes > 2000 {
		t.Errorf("%s: asked %d times, for %d nodes", result, times, nodes)
	}
	_, small, _ := compile(t, "{attachments.files: {any: {path: {equals: zz}}}}")
	s = manyFiles(10)
	if result, nodes = explain(small, func(int) bool { t.Error("a small tree asks for room"); return false }); result != cond.False || nodes != 22 {
		t.Errorf("%s, %d nodes", result, nodes)
	}
}

// TestExplainEndsWithItsCaller: who no longer waits ends the evaluation of items that have no value, too.
func TestExplainEndsWithItsCaller(t *testing.T) {
	items := make([]facts.Value, 4000)
	for i := range items {
		items[i] = facts.Fields()
	}
	_, program, _ := compile(t, anyOf(100, "attachments.files: {any: {path: {equals: zz%d}}}"))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	ev := cond.NewEvaluation(files(items...))
	ev.SetContext(ctx)
	_, trace := program.Explain(ev, cond.Limits{Matching: time.Hour, Condition: time.Hour}, nil, false)
	if nodes, _, _ := size(trace); len(trace.Children) > 10 {
		t.Errorf("%d conditions were looked at, %d nodes", len(trace.Children), nodes)
	}
}

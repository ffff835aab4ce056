package cond_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// literals writes conditions on many different texts, and contexts that hold one
// of them in every position.
type literals struct {
	generator
	alphabet []string
	longest  int
	known    []string // the texts that conditions have
}

// text makes up a literal: short ones are frequent, so that they meet.
func (l *literals) text() string {
	var b strings.Builder
	for range 1 + min(l.r.IntN(l.longest), l.r.IntN(l.longest)) {
		b.WriteString(l.pick(l.alphabet))
	}
	l.known = append(l.known, b.String())
	return b.String()
}

func (l *literals) quote() string { return fmt.Sprintf("%q", l.text()) }

// operator writes one operator on a text.
func (l *literals) operator() string {
	switch l.r.IntN(12) {
	case 0:
		list := l.quote()
		for range []int{0, 2, 7, 8, 12}[l.r.IntN(5)] {
			list += ", " + l.quote()
		}
		return "in: [" + list + "]"
	case 1, 2:
		return "startsWith: " + l.quote()
	case 3, 4:
		return "endsWith: " + l.quote()
	case 5, 6, 7:
		return "contains: " + l.quote()
	case 8:
		text := l.text()
		return "glob: " + fmt.Sprintf("%q", []string{text, text + "*", "*" + text, "*" + text + "*", "*{" + text + "," + l.text() + "}*", "{" + text + "," + l.text() + "}", text + "*" + l.text()}[l.r.IntN(7)])
	case 9:
		text := l.text()
		return "regex: " + fmt.Sprintf("%q", []string{text, text + ".*", "(" + text + "|" + l.text() + ")", "^" + text, text + "$"}[l.r.IntN(5)])
	}
	return "equals: " + l.quote()
}

func (l *literals) condition() string {
	switch l.r.IntN(20) {
	case 0, 1:
		return "{assistant.model.modalities: {contains: " + l.quote() + l.sensitive() + "}}"
	case 2:
		if l.r.IntN(2) == 0 {
			return "{attachments.files: {any: {extension: {contains: " + l.quote() + "}}}}"
		}
		return "{assistant.model.modalities: {" + l.pick([]string{"any", "all", "none"}) + ": {" + l.operator() + "}}}"
	case 3:
		return "{attachments.files: {" + l.pick([]string{"any", "all", "none"}) + ": {path: {" + l.operator() + l.sensitive() + "}}}}"
	case 4:
		if l.r.IntN(2) == 0 {
			return "{attachments.files: {any: {path: {contains: " + l.quote() + ", startsWith: " + l.quote() + "}}}}"
		}
		return "{attachments.files: {any: {path: {" + l.operator() + "}, extension: {" + l.operator() + "}}}}"
	case 5, 6, 7:
		return "{visual.match: {query: //Label/@name, " + l.operator() + l.sensitive() + "}}"
	case 8:
		return "{visual.match: {query: //Label/@name, contains: " + l.quote() + ", length: {min: 3}}}"
	case 9:
		return "{extra.file_manager.selection.items: {any: {size: {equals: " + l.pick(sizes) + "}}}}"
	case 10:
		return "{clipboard.text: {equals: " + l.pick([]string{"1", "true", "0", "false", "5", `""`}) + "}}"
	case 11:
		return "{any: [" + l.condition() + ", " + l.condition() + "]}"
	case 12:
		return "{all: [" + l.condition() + ", " + l.condition() + "]}"
	case 13:
		if l.r.IntN(4) == 0 {
			return "{none: [" + l.condition() + "]}"
		}
		return "{all: [" + l.condition() + ", {none: [" + l.condition() + "]}]}"
	case 14:
		return "{visual.match: {query: //Label/@bounds.width, equals: " + l.pick([]string{"1", "2", "true"}) + "}}"
	case 15:
		return "{extra.browser.active_tab.url: {" + l.pick([]string{"contains: one", "contains: four", "contains: o", "contains: 'on '"}) + "}}" // few texts, in a table of their own
	}
	return "{clipboard.text: {" + l.operator() + l.sensitive() + "}}"
}

// meeting is a text that has a literal in some position, or nearly.
func (l *literals) meeting() string {
	text, other := l.pick(l.known), l.pick(l.known)
	switch l.r.IntN(12) {
	case 0, 1:
		return text
	case 2:
		return text + other
	case 3:
		return other + " " + text
	case 4:
		return text + " " + other + text
	case 5:
		return text[:len(text)-1]
	case 6:
		return text[1:]
	case 7:
		return text + text[:len(text)/2]
	case 8:
		return strings.ToUpper(text)
	case 9:
		return ""
	case 10:
		return "." + text + "."
	}
	return text + l.pick(l.alphabet)
}

func (l *literals) value() facts.Value {
	switch l.r.IntN(40) {
	case 0:
		return facts.Num(float64(l.r.IntN(3)))
	case 1:
		return facts.Flag(l.r.IntN(2) == 0)
	case 2:
		return facts.Texts(l.meeting(), l.meeting())
	case 3:
		return facts.Fields(facts.Field{Name: "x", Value: facts.Text(l.meeting())})
	}
	return facts.Text(strings.ToValidUTF8(l.meeting(), "?"))
}

func (l *literals) snapshot() *facts.Snapshot {
	elements := make([]facts.Element, 1+l.r.IntN(4))
	label, _ := facts.ParseElementType("Label")
	for i := range elements {
		elements[i] = facts.Element{Type: label, Parent: -1, Name: strings.ToValidUTF8(l.meeting(), "?"), HasName: true, HasBounds: true, Bounds: facts.Bounds{Width: float64(l.r.IntN(4))}}
	}
	s := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Tree: facts.NewTree(elements, nil)})
	s = s.With("clipboard.text", l.value()).With("extra.browser.active_tab.url", facts.Text(l.pick([]string{"one", "four", "so", "x", "on one"})))
	if l.r.IntN(10) == 0 {
		return s.With("assistant.model.modalities", l.value())
	}
	var files, sized []facts.Value
	for range l.r.IntN(4) {
		files = append(files, facts.Fields(facts.Field{Name: "path", Value: l.value()}, facts.Field{Name: "extension", Value: l.value()}))
		size, _ := facts.ParseNumber(l.pick(sizes))
		sized = append(sized, facts.Fields(facts.Field{Name: "size", Value: size}))
	}
	modalities := make([]facts.Value, l.r.IntN(4))
	for i := range modalities {
		modalities[i] = l.value()
	}
	return s.With("attachments.files", facts.List(files...)).With("extra.file_manager.selection.items", facts.List(sized...)).
		With("assistant.model.modalities", facts.List(modalities...))
}

// TestSetFindsLiterals compares the index with plain walking on sets of up to
// 2,000 conditions on different texts, and makes sure that every way into the
// index was taken.
func TestSetFindsLiterals(t *testing.T) {
	ways := map[string]int{}
	for seed, set := range []struct {
		size, snapshots, longest int
		alphabet                 string
	}{
		{5, 200, 3, "a b c"},
		{60, 200, 5, "a b"},
		{600, 150, 12, "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3"},
		{600, 150, 8, "a b é ß K"},
		{800, 100, 16, "a b"},
		{2000, 60, 9, "a b c d e"},
	} {
		l := &literals{generator: generator{rand.New(rand.NewPCG(uint64(seed), 9))}, alphabet: strings.Fields(set.alphabet), longest: set.longest}
		conditions := make([]cond.Condition, set.size)
		for i := range conditions {
			conditions[i] = conditionOf(t, l.condition())
		}
		compareIndex(t, conditions, set.snapshots, l.snapshot, ways)
	}
	wanted := []string{
		"always looked at", "decided by the index", "left to the condition", "truth of an atom",
		"entry: the whole condition", "entry: nothing", "entry: slow atoms", "entry: cheap atoms",
		"path: equal to nothing", "path: one of few parts", "path: value of another kind", "items: value of another kind",
	}
	for _, of := range []string{"path: ", "items: ", "query: "} {
		for _, way := range []string{
			"equal text", "equal number or boolean", "prefix", "suffix", "part by a gram of 1", "part by a gram of 2", "part by a gram of 3",
			"part by a gram of 4", "part by a gram of several", "part by a gram within",
		} {
			wanted = append(wanted, of+way)
		}
	}
	for _, way := range wanted {
		if ways[way] == 0 {
			t.Errorf("the index never took the way %q", way)
		}
	}
}

// TestSetFindsEachLiteral has hundreds of literals and texts that are one of
// them, begin with it, end with it or have it inside: the index finds what
// strings says is there.
func TestSetFindsEachLiteral(t *testing.T) {
	for _, shape := range []string{"equals: %q", "startsWith: %q", "endsWith: %q", "contains: %q", "in: [%q]", "glob: '*%s*'", "regex: '%s'", "glob: '%s*'", "glob: '*%s'"} {
		var texts []string
		var conditions []cond.Condition
		for i := range 300 {
			text := strings.Repeat(string(rune('a'+i%26)), 1+i%3) + fmt.Sprint(i*7919%1000)
			if i%4 == 0 {
				text = text[:1+i%len(text)]
			}
			texts = append(texts, text)
			conditions = append(conditions, conditionOf(t, "{clipboard.text: {"+fmt.Sprintf(shape, text)+"}}"))
		}
		next := 0
		compareIndex(t, conditions, 4*len(texts), func() *facts.Snapshot {
			text := texts[next/4]
			text = []string{text, text + " ", " " + text, " " + text + " "}[next%4]
			next++
			return empty().With("clipboard.text", facts.Text(text))
		}, map[string]int{})
	}
}

// TestSetComparesInBounds has texts that hold the grams of all parts everywhere, and nearly each part: comparing them all would take the
// product of everything's length, which is minutes here. What is not compared is left to the conditions.
func TestSetComparesInBounds(t *testing.T) {
	var conditions []cond.Condition
	for i := range 12 {
		conditions = append(conditions, conditionOf(t, fmt.Sprintf("{clipboard.text: {contains: %q}}", strings.Repeat("z", 200_000+i))))
		conditions = append(conditions, conditionOf(t, fmt.Sprintf("{clipboard.text: {contains: %q}}", strings.Repeat("z", 200_000)+"y"+strings.Repeat("z", i))))
	}
	texts := []string{strings.Repeat("z", 2_000_000), strings.Repeat("z", 200_005), strings.Repeat("z", 300_000) + "yzzzz", strings.Repeat(strings.Repeat("z", 199_999)+"y", 10)}
	next := 0
	compareIndex(t, conditions, len(texts), func() *facts.Snapshot {
		next++
		return empty().With("clipboard.text", facts.Text(texts[next-1]))
	}, map[string]int{})
}

// compareIndex holds a set against walking in contexts, and collects the ways
// that the index took.
func compareIndex(t *testing.T, conditions []cond.Condition, contexts int, next func() *facts.Snapshot, ways map[string]int) {
	t.Helper()
	set := cond.NewSet(slices.Clone(conditions))
	for range contexts {
		snapshot := next()
		walked, indexed, watched := make([]bool, len(conditions)), make([]bool, len(conditions)), make([]bool, len(conditions))
		cond.Walk(context.Background(), conditions, cond.NewEvaluation(snapshot), func(h cond.Hit) { walked[h.Condition] = h.Result == cond.True })
		mark := func(found []bool) func(h cond.Hit) {
			return func(h cond.Hit) {
				if found[h.Condition] {
					t.Fatalf("condition %d was yielded twice", h.Condition)
				}
				found[h.Condition] = h.Result == cond.True
			}
		}
		set.Match(context.Background(), cond.NewEvaluation(snapshot), mark(indexed))
		set.MatchWatched(context.Background(), cond.NewEvaluation(snapshot), ways, mark(watched))
		for i := range conditions {
			if indexed[i] != walked[i] || watched[i] != walked[i] {
				t.Fatalf("condition %d: the index says %v (watched %v), walking %v", i, indexed[i], watched[i], walked[i])
			}
		}
	}
}

package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// checkKept compares what a scanner that keeps so many matches of each trigger gives with all of them.
func checkKept(t *testing.T, set *stream.Set, kept *stream.Scanner, most int, text string, exact bool) {
	t.Helper()
	all := map[int][]stream.Match{}
	for _, m := range set.Scanner().Scan(text) {
		all[m.Trigger] = append(all[m.Trigger], m)
	}
	got := map[int][]stream.Match{}
	last := -1
	for _, m := range kept.Scan(text) {
		got[m.Trigger] = append(got[m.Trigger], m)
		if m.Start < last {
			t.Fatalf("%q: %+v comes after %d", text, m, last)
		}
		last = m.Start
	}
	for i := range set.Len() {
		want := all[i][:min(len(all[i]), most)]
		more := len(all[i]) - len(want)
		if fmt.Sprint(got[i]) != fmt.Sprint(want) || kept.More(i) < more || exact && kept.More(i) != more {
			t.Fatalf("%q on %.200q: %v and %d more, not %v and %d more", set.Trigger(i).Patterns, text, got[i], kept.More(i), want, more)
		}
	}
}

// TestScanKeeps: a scanner that keeps so many matches of each trigger gives the first of those that it gives otherwise, and counts the others:
// those that stay in a line, come out of order, hold line feeds, are empty, or need look-around; in one text after the other.
func TestScanKeeps(t *testing.T) {
	set := compile(t, `x`, `zz|x.?y`, `zz|x[^]?y`, `x*`, `(?m)^`, `(?m)^$`, `\s`, `x\n`, `x(?!y)`, `(?<!x)\n`, `(x)\1`, `never`)
	w := newWriter(17)
	for _, most := range []int{1, 3, 100} {
		kept := set.Scanner()
		kept.Keep(most)
		for _, text := range []string{
			"", "x", strings.Repeat("x\n", 2_000), strings.Repeat("zz xay\nxby zz\n", 500), strings.Repeat("x", 5_000) + "\nx", strings.Repeat("\n", 300) + "xy\nx\ny\n",
			strings.Repeat(strings.Repeat("-", 120)+"xx\ny", 200),
		} {
			checkKept(t, set, kept, most, text, true)
		}
		for range rounds(50) {
			var text strings.Builder
			for range w.IntN(700) {
				text.WriteString(w.pick("x", "y", "zz", "\n", "xay", "x\ny", "é", "--------------------"))
			}
			checkKept(t, set, kept, most, text.String(), true)
		}
	}
}

// TestScanKeepsOfRandom: the same of random expressions, each a trigger and all of them one.
func TestScanKeepsOfRandom(t *testing.T) {
	w := newWriter(23)
	for range rounds(300) {
		var patterns []string
		for range 1 + w.IntN(6) {
			patterns = append(patterns, w.expression())
		}
		together, _ := stream.Compile([]stream.Trigger{{Patterns: patterns}}, stream.Options{})
		for _, set := range []*stream.Set{compileValid(patterns), together} {
			most := 1 + w.IntN(4)
			kept := set.Scanner()
			kept.Keep(most)
			for range 4 {
				text := w.text() + w.pick("\n", "\n\n", "") + w.text() + w.broken() + w.pick("\n", "\r\n") + w.text()
				checkKept(t, set, kept, most, strings.Repeat(text, 1+w.IntN(20)), set != together)
			}
		}
	}
}

// TestScanKeepsAllAgain: without a bound, as at the start, nothing is left out.
func TestScanKeepsAllAgain(t *testing.T) {
	scanner := compile(t, `x`).Scanner()
	for _, c := range []struct{ most, found, more int }{{0, 30, 0}, {10, 10, 20}, {0, 30, 0}, {-1, 30, 0}, {30, 30, 0}, {29, 29, 1}} {
		scanner.Keep(c.most)
		if found := scanner.Scan(strings.Repeat("x\n", 30)); len(found) != c.found || scanner.More(0) != c.more {
			t.Errorf("%+v: %d and %d more", c, len(found), scanner.More(0))
		}
	}
}

// TestScanKeepsLessOfOthers: of very many expressions less is kept, but for those of the user's own triggers, and everything is counted.
func TestScanKeepsLessOfOthers(t *testing.T) {
	const many, lines, most = 40_000, 60, 50
	patterns := make([]string, many)
	for i := range patterns {
		patterns[i] = "x"
	}
	set, problems := stream.Compile([]stream.Trigger{{Patterns: patterns}, {Patterns: []string{"x"}, Own: true}, {Patterns: []string{"x\n"}, Own: true}}, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	scanner := set.Scanner()
	scanner.Keep(most)
	var found [3]int
	for _, m := range scanner.Scan(strings.Repeat("x\n", lines)) {
		found[m.Trigger]++
	}
	if found[0] == 0 || found[0] >= most || found[1] != most || found[2] != most {
		t.Errorf("found %v", found)
	}
	if scanner.More(0) < lines-found[0] || scanner.More(1) != lines-most || scanner.More(2) != lines-most {
		t.Errorf("%d, %d and %d more", scanner.More(0), scanner.More(1), scanner.More(2))
	}
}

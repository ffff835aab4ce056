package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestScanSameEnd: of matches of a trigger's patterns that end at one offset, the one that starts first is told.
func TestScanSameEnd(t *testing.T) {
	for _, patterns := range [][]string{{"b", "ab"}, {"ab", "b"}, {`b(?!x)`, `ab`}, {`b`, `ab(?!x)`}} {
		set, _ := stream.Compile([]stream.Trigger{{Name: "r", Patterns: patterns}}, stream.Options{})
		if got := fmt.Sprint(set.Scanner().Scan("-ab b")); got != "[{0 1 3}]" {
			t.Errorf("%q: %s", patterns, got)
		}
	}
}

// TestScanNothingToTry: an expression with back-references is not tried, and so not undecided, where what each match of it needs is
// not there.
func TestScanNothingToTry(t *testing.T) {
	scanner := compile(t, `(a+)+\1c`).Scanner()
	if found := scanner.Scan("aac"); len(found) != 1 { // it was there in another text
		t.Errorf("%v", found)
	}
	if found := scanner.Scan(strings.Repeat("a", 40) + "!"); len(found) > 0 || len(scanner.Undecided()) > 0 {
		t.Errorf("%v, undecided %v", found, scanner.Undecided())
	}
}

// TestScanOutOfOrder: an expression is followed in several places, which tell their matches one after the other, for some text at once.
// They are put in order, in a line, over lines, and where more match than is kept.
func TestScanOutOfOrder(t *testing.T) {
	for _, c := range []struct{ pattern, text, want string }{
		{`zz|x.?y`, "xay zz", "[{0 0 3}]"},
		{`zz|x.?y`, "xay\nxby zz", "[{0 0 3} {0 4 7}]"},
		{`zz|x.?y`, "zz xay\nxby zz", "[{0 0 2} {0 7 10}]"},
		{`zz|x[^]?y`, "xay zz\nx\ny", "[{0 0 3} {0 7 10}]"},
	} {
		if got := fmt.Sprint(compile(t, c.pattern).Scanner().Scan(c.text)); got != c.want {
			t.Errorf("%s in %q: %s", c.pattern, c.text, got)
		}
	}
	const line, lines, before = "xay q\n", 2_000, 100
	found := compile(t, `q\n|x[^]?y`).Scanner().Scan(strings.Repeat("-", before) + strings.Repeat(line, lines))
	for i, m := range found {
		if m.Start != before+i*len(line) || m.End != m.Start+3 {
			t.Fatalf("line %d: %+v", i, m)
		}
	}
	if len(found) != lines {
		t.Errorf("%d of %d lines", len(found), lines)
	}
}

// TestScanStartsNearly: where it takes too long to say where a match starts first, a start that is known is told.
func TestScanStartsNearly(t *testing.T) {
	text := "q" + strings.Repeat("y", 20_000) + "q" + strings.Repeat("y", 100) + "z"
	var found []stream.Match
	for _, m := range among(t, `q(?:y|x|q){40,}z`).Scanner().Scan(text) {
		if m.Trigger == 0 {
			found = append(found, m)
		}
	}
	if len(found) != 1 || found[0].Start != 20_001 || found[0].End != len(text) {
		t.Errorf("%v", found)
	}
}

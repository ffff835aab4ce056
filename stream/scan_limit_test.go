package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// among compiles patterns among so many others that match every text with a y that each has
// the least steps in a scan.
func among(t *testing.T, patterns ...string) *stream.Set {
	t.Helper()
	for i := range 260 {
		patterns = append(patterns, fmt.Sprintf("y|w%03d", i))
	}
	return compile(t, patterns...)
}

// TestScanStartsTooHard: if it takes too long to say where a match starts, its last character is told, and it
// is found all the same.
func TestScanStartsTooHard(t *testing.T) {
	far := strings.Repeat("y", 20_000)
	for _, c := range []struct {
		pattern, text string
		start, end    int
	}{
		{`q(?:y|x){40,}z`, "q" + far + "z", 20_001, 20_002},
		{`q(?:y|x){40,}é`, "q" + far + "é", 20_001, 20_003},
		{`q(?:y|\n){40,}z`, "q" + far + "z", 20_001, 20_002},
		{`q(?:y|x){40,}z`, "q" + far[:100] + "z", 0, 102},
		{`q(?:y|\n){40,}z`, "q" + far[:100] + "z", 0, 102},
	} {
		scanner := among(t, c.pattern).Scanner()
		var got []stream.Match
		for _, m := range scanner.Scan(c.text) {
			if m.Trigger == 0 {
				got = append(got, m)
			}
		}
		if len(got) != 1 || got[0].Start != c.start || got[0].End != c.end || len(scanner.Undecided()) > 0 {
			t.Errorf("%s in %d bytes: %v, undecided %v", c.pattern, len(c.text), got, scanner.Undecided())
		}
	}
}

// TestScanEndsTooHard: matches that hold line feeds are found one after the other until that takes too long;
// the rest of the text is told to be undecided.
func TestScanEndsTooHard(t *testing.T) {
	text := strings.Repeat(strings.Repeat("y", 199)+"\n", 200)
	scanner := among(t, `[^]{200}`).Scanner()
	last := -1
	for _, m := range scanner.Scan(text) {
		if m.Trigger != 0 {
			continue
		}
		if m.End != m.Start+200 || m.Start%200 != 0 || m.Start <= last {
			t.Fatalf("%+v after %d", m, last)
		}
		last = m.Start
	}
	open := scanner.Undecided()
	if len(open) != 1 || open[0].Trigger != 0 || open[0].Reason != stream.WorkLimit || open[0].To != int64(len(text)) || open[0].Starts != len(text)-int(open[0].From)+1 {
		t.Fatalf("undecided %+v", open)
	}
	if from := int(open[0].From); last < 1024 || from < last+200 || from > last+400 {
		t.Errorf("undecided from %d on, and the last match starts at %d", from, last)
	}
	if found := compile(t, `[^]{200}`).Scanner().Scan(text); len(found) != 200 {
		t.Errorf("%d matches where there is time", len(found))
	}
}

// TestScanManyEnds: of more ends than are kept, each is that of a match by what stands around it.
func TestScanManyEnds(t *testing.T) {
	text := strings.Repeat("q\nxq\n", 5_000) + "q\n!q\n"
	starts := map[int]int{}
	for _, m := range compile(t, `\bq\n\b`, `\Bq\n`, `(?m)q\n^`).Scanner().Scan(text) {
		starts[m.Trigger]++
	}
	if want := map[int]int{0: 5_000, 1: 5_000, 2: 10_002}; fmt.Sprint(starts) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", starts, want)
	}
}

package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestFoundIsBounded: triggers that match at every character, a stranger's thousands of them, are kept as what is told: each once. What
// they tell is the same however the text is cut.
func TestFoundIsBounded(t *testing.T) {
	patterns := many(3000, func(i int) string { return fmt.Sprintf(`.|x%d`, i) })
	patterns = append(patterns, `EVIL`, `[^]{200}Z`, `.(?=EV)`)
	set := compile(t, patterns...)
	text := strings.Repeat("let x = foo(bar);\n", 2000) + " EVIL " + strings.Repeat("q", 300) + "Z"
	whole := set.Stream()
	got := slices.Clone(whole.Feed(text))
	if len(got) != len(patterns) {
		t.Fatalf("%d triggers fired, of %d", len(got), len(patterns))
	}
	if kept, most := stream.KeptFound(whole), 4*len(patterns); kept > most {
		t.Errorf("%d firings were kept, more than %d", kept, most)
	}
	if stream.Spent(whole) == 0 {
		t.Error("triggers that have fired are asked again at each character")
	}
	st := set.Stream()
	var inPieces []stream.Firing
	for piece := range slices.Chunk([]byte(text), 100) {
		inPieces = append(inPieces, st.FeedBytes(piece)...)
	}
	if !slices.Equal(got, inPieces) {
		t.Error("in pieces they fire elsewhere")
	}
	whole.Reset()
	if again := whole.Feed(text); !slices.Equal(again, got) {
		t.Errorf("from the start again %d fire, of %d", len(again), len(got))
	}
}

// TestFoundKeepsTheFirst: of several expressions of one trigger the match counts that is decided first, wherever it was found.
func TestFoundKeepsTheFirst(t *testing.T) {
	var patterns []string
	for i := range 300 {
		patterns = append(patterns, fmt.Sprintf(`b[^]{%d}`, 40+i%10), fmt.Sprintf(`a[^]{%d}(?:%d)?`, 40+i%20, i))
	}
	set, problems := stream.Compile([]stream.Trigger{{Name: "all", Patterns: patterns}, {Name: "late", Patterns: []string{`b[^]{60}`}}}, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	text := "ab" + strings.Repeat("ab.", 100)
	want := "[{0 41 41} {1 62 62}]"
	if got := fmt.Sprint(feed(set, text)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSpentIsBounded: of lists of expressions that are no news no more is known than a limit, whatever states a text comes to.
func TestSpentIsBounded(t *testing.T) {
	patterns := append(many(40, func(i int) string { return fmt.Sprintf(`[^]|x%d`, i) }), `a[^]{11}b`, `[ab]{20}c`)
	st := compile(t, patterns...).Stream()
	w := newWriter(5)
	most := 0
	for range 60 {
		var b strings.Builder
		for range 1000 {
			b.WriteString(w.pick("a", "b"))
		}
		st.Feed(b.String())
		most = max(most, stream.Spent(st))
	}
	if most < 500 || most > 1<<10 {
		t.Errorf("%d lists are known", most)
	}
}

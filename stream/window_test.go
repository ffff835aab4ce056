package stream_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestWindowMoveIsNoEnd: where the window moves the text does not end, whatever was put off until then; where it ends it does.
func TestWindowMoveIsNoEnd(t *testing.T) {
	const block = 32 << 10
	for _, pattern := range []string{`(go) \1$`, `\b(go|so) (?:go )?\1$`} {
		set := compile(t, pattern)
		for _, before := range []int{block - 6, block - 5, block - 4} {
			text := strings.Repeat("g", before-1) + " go go"
			if got := feed(set, text, " on"); len(got) != 0 {
				t.Errorf("%s after %d bytes: fires in the middle: %v", pattern, before, got)
			}
			if got := feed(set, text); len(got) != 1 || got[0].Offset != int64(len(text)) {
				t.Errorf("%s after %d bytes: at the end %v", pattern, before, got)
			}
		}
	}
}

// TestWindowMovesOnFromIdle: what has rested since before the window begins anew at the next candidate, and not where it rested.
func TestWindowMovesOnFromIdle(t *testing.T) {
	for _, pattern := range []string{`ab(?=cd)`, `(?<!x)ab(?=cd)`, `a[^]{0,40}b(?=cd)`} {
		set := compile(t, pattern)
		for _, gap := range []int{100, 10 << 10, 40 << 10, 200 << 10} {
			text := "abc-" + strings.Repeat(".", gap) + "abcd"
			if got := feed(set, text[:2], text[2:10], text[10:]); len(got) != 1 || got[0].Offset != int64(len(text)) {
				t.Errorf("%s after %d bytes: %v", pattern, gap, got)
			}
		}
	}
}

// TestWindowMovesBetweenCandidates: of candidates that one piece brings, those are left that lie after the window's move.
func TestWindowMovesBetweenCandidates(t *testing.T) {
	const block = 32 << 10
	text := strings.Repeat("abd.", block/4) + strings.Repeat("abd.", 100) + "abc" + strings.Repeat("abd.", 100)
	want := int64(strings.Index(text, "c") + 1)
	for _, pattern := range []string{`ab(?=c)`, `(?<!x)ab(?=c)`, `(a)b(?=c)(?<!\1c)`} {
		set := compile(t, pattern)
		if got := feed(set, text); len(got) != 1 || got[0].Decided != want {
			t.Errorf("%s: %v, want one at %d", pattern, got, want)
		}
	}
}

// TestWindowMovesCutShort: where the steps were used up at the very candidate after which the window moves, the offsets that it leaves are told.
func TestWindowMovesCutShort(t *testing.T) {
	const block = 32 << 10
	st := compile(t, `(a|b)(a|b)(a|b).*\3\2\1{40}c`).Stream()
	st.Feed(explosive(0, 2*block-1) + "c")
	st.Feed(strings.Repeat(" ", 3*block))
	st.End()
	if u := st.Undecided(); len(u) != 1 || u[0].Reason != stream.WorkLimit || u[0].From >= block || u[0].To < block {
		t.Errorf("undecided %v", u)
	}
}

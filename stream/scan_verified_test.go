package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestScanLooks: look-around that sees far is decided in a long text as a stream
// decides it, however many the places are from which it does. The steps that a scan
// may take grow with the text alone, and nothing is left undecided.
func TestScanLooks(t *testing.T) {
	t.Parallel()
	const count = 6_000
	text := strings.Repeat("abc zz y\n", count) + "w zz Q"
	for _, c := range []struct {
		pattern    string
		want, last int // matches, and where the last of them starts
	}{
		{`zz(?= [^w]*Q)`, 1, 9*count + 2},
		{`zz(?! [^w]*w)`, 1, 9*count + 2},
		{`zz(?= [^]*w)`, count, 9*count - 5},
		{`zz(?! [^]*Q$)`, 0, 0},
		{`zz(?=(?:.|\n)*Q)`, count + 1, 9*count + 2},
		{`(?<=w[^]*)zz`, 1, 9*count + 2},
		{`(?<!w[^]*)zz`, count, 9*count - 5},
		{`(?<=^[^w]*)zz(?=[^Q]*w zz)`, count, 9*count - 5},
		{`(?=[^]*Q)zz(?<=zz)`, count + 1, 9*count + 2},
		{`zz(?=[^]*(?<=w zz )Q)`, count + 1, 9*count + 2},
		{`(?:zz(?= [^w]*Q)|q(?=[^]*w))`, 1, 9*count + 2},
		// Where a match ends that may go on to the end of the text is too hard to say
		// for each, but that there are matches is not.
		{`abc(?= )(?:[^]*!)?`, count, 9*count - 9},
	} {
		set := compile(t, c.pattern)
		scanner := set.Scanner()
		found := scanner.Scan(text)
		if open := scanner.Undecided(); len(open) > 0 {
			t.Errorf("/%s/ is undecided: %v", c.pattern, open)
		}
		if len(found) != c.want || c.want > 0 && found[c.want-1].Start != c.last {
			t.Errorf("/%s/: %d matches, want %d, the last at %d: %v", c.pattern, len(found), c.want, c.last, found[max(len(found)-1, 0):])
		}
		if fires := len(feed(set, text)) > 0; fires != (len(found) > 0) {
			t.Errorf("/%s/: a stream fires: %v", c.pattern, fires)
		}
	}
}

// TestScanReads: reading a text and trying it place by place give the same matches, in
// broken text too.
func TestScanReads(t *testing.T) {
	t.Parallel()
	w := newWriter(53)
	w.modifiers, w.duplicates = true, true
	for range rounds(6_000) {
		w.linear, w.groups = false, 0
		pattern := flagged(w.branches(3), w.pick("", "", "i", "m", "s"))
		set := compileValid([]string{pattern})
		tries, reads := set.Scanner(), stream.ScanLinear(set.Scanner())
		for range 4 {
			text := w.text() + w.pick("\n", "\n\n", "") + w.broken() + w.text()
			want, got := tries.Scan(text), reads.Scan(text)
			if fmt.Sprint(got) != fmt.Sprint(want) && len(tries.Undecided()) == 0 {
				t.Fatalf("/%s/ on %q: reading finds %v, trying %v", pattern, text, got, want)
			}
		}
	}
}

// TestScanLargeLooks: what is too large to be read is tried as far as may be, and said
// to be undecided.
func TestScanLargeLooks(t *testing.T) {
	t.Parallel()
	large := `zz(?=(?:` + strings.Repeat(`(?=[^w]*Q)`, 70) + `))`
	set := compile(t, large)
	scanner := set.Scanner()
	if found := scanner.Scan("abc zz yQ"); len(found) != 1 {
		t.Errorf("found %v", found)
	}
	scanner.Scan(strings.Repeat("abc zz y\n", 10_000) + "w zz Q")
	open := scanner.Undecided()
	if len(open) == 0 {
		t.Fatal("nothing is undecided")
	}
	for _, u := range open {
		if hint := set.Hint(u); strings.Contains(hint, "back-reference") {
			t.Errorf("%v: %s", u, hint)
		}
	}
}

// TestScanAsStream: what a scan finds a stream fires for, however the text is cut, and
// the other way round, for expressions of little but look-around.
func TestScanAsStream(t *testing.T) {
	t.Parallel()
	w := newWriter(59)
	w.modifiers, w.duplicates = true, true
	for range rounds(4_000) {
		pattern := flagged(w.pick("a", "b", "c", "ab", "")+w.looks(2), w.pick("", "", "m", "i"))
		set := compileValid([]string{pattern})
		scanner := stream.ScanLinear(set.Scanner())
		for range 6 {
			var text strings.Builder
			for range w.IntN(12) {
				text.WriteString(w.pick("a", "b", "a", "b", "c", " ", "\n", "-", "ab", "aa"))
			}
			found := scanner.Scan(text.String())
			whole := fmt.Sprint(feed(set, text.String()))
			if cut := fmt.Sprint(feed(set, strings.Split(text.String(), "")...)); cut != whole || (len(found) > 0) != (whole != "[]") {
				t.Fatalf("/%s/ on %q: found %v, a stream fires %s, in small pieces %s", pattern, text.String(), found, whole, cut)
			}
		}
	}
}

// looks writes an expression with as many look-arounds as it has other parts.
func (w *writer) looks(depth int) string {
	var b strings.Builder
	for range 1 + w.IntN(4) {
		if depth > 0 && w.IntN(2) == 0 {
			b.WriteString(w.pick("(?=", "(?!", "(?<=", "(?<!") + w.looks(depth-1) + ")")
			continue
		}
		b.WriteString(w.pick("a", "b", "ab", "aa", `\w`, "[^]", "[^a]", "a*", "b+", "[^]*", "c?", `\b`, "$", "^", "ba", "(?:a|bb)", `\n`, ".*", "a{2}", "|"))
	}
	return b.String()
}

// TestScanHastyAtTheEnd: where the machine gives up at the very end of a text, and nowhere else, the text is read as well.
func TestScanHastyAtTheEnd(t *testing.T) {
	set := compile(t, `$(?<=c(?:a|a)*)`)
	for text, want := range map[string]int{strings.Repeat("a", 60): 0, "c" + strings.Repeat("a", 60): 1} {
		scanner := set.Scanner()
		if found := scanner.Scan(text); len(found) != want || len(scanner.Undecided()) > 0 {
			t.Errorf("%q: %v, undecided %v", text, found, scanner.Undecided())
		}
	}
}

package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// exploding gives a pattern whose states are many: counted repeats of what is
// common, with a little around them.
func (w *writer) exploding() string {
	wide := w.pick("[ab]", "(?:a|b)", ".", "[^]", `\w`, "(?:ab|b|a)", "[^c]", "(?:a|bb?)", `(?:a\b|b|\B[^])`, `(?:\n^|a|b)`)
	counted := wide + w.pick("{4}", "{9}", "{2,7}", "{17}", "{0,20}", "{3,}", "{70}", "*a?b*[^]?\\w*(?:[ab]*c?){0,40}", "(?:a*b?){0,90}")
	out := w.pick("", "^", `\b`, "qz", "[ab]*", "c|", "(?:ca?|ac)") + w.pick("a", "b", `\b`, "[ab]") + counted
	out += w.pick("", "", "c", "$", `\b`, " ", "a", "b+c", `\n^`, "(?:c|$)", `\Bc`, "x")
	return w.pick("", "", "", "(?m)", "(?i)", "(?ms)") + out
}

// common gives a text of few characters, with a rare one now and then.
func (w *writer) common(n int) string {
	var b strings.Builder
	for range n {
		if w.IntN(12) == 0 {
			b.WriteString(w.pick("c", " ", "\n", "x", "é", "qz", "\u2028", "\xff", "A"))
		} else {
			b.WriteString(w.pick("a", "b"))
		}
	}
	return b.String()
}

// TestNFA: a set whose lanes become nfas whenever they can, and states again
// after some bytes, says what one says that has states alone, wherever the text is
// cut and the stream saved.
func TestNFA(t *testing.T) {
	t.Parallel()
	w := newWriter(77)
	nfas, fired := 0, 0
	for n := range rounds(600) {
		w.linear = n%16 > 0
		var patterns []string
		for range 1 + w.IntN(10) {
			if w.IntN(3) == 0 {
				patterns = append(patterns, w.expression())
			} else {
				patterns = append(patterns, w.exploding())
			}
		}
		states, set := compileValid(patterns), compileValid(patterns)
		bytes := []int{1, 4, 30, 1 << 20}[n%4]
		stream.ForceNFA(set, bytes)
		for range 4 {
			text := w.common(w.IntN(120)) + w.text()
			if w.IntN(3) == 0 {
				text += w.broken()
			}
			want := feed(states, text)
			fired += len(want)
			if got := feed(set, text); !slices.Equal(got, want) {
				t.Fatalf("%q on %q: states %v, nfas %v", patterns, text, want, got)
			}
			st, other := set.Stream(), states.Stream()
			var got []stream.Firing
			for _, piece := range w.pieces(text) {
				got = append(got, st.Feed(piece)...)
				other.Feed(piece)
				nfas += stream.NFAs(st)
				if st.Pending() != other.Pending() {
					t.Fatalf("%q on %q: not the same is pending at %d", patterns, text, st.Offset())
				}
				saved := st.Save()
				if w.linear && !slices.Equal(saved, other.Save()) { // look-around is saved in the order in which it was met
					t.Fatalf("%q on %q: not the same is saved at %d", patterns, text, st.Offset())
				}
				if w.IntN(8) == 0 {
					restored, err := set.Restore(saved)
					if err != nil {
						t.Fatal(err)
					}
					st = restored
				}
			}
			if got = append(got, st.End()...); !slices.Equal(got, want) {
				t.Fatalf("%q on %q: states %v, nfas in pieces %v", patterns, text, want, got)
			}
			if got, want := set.Scanner().Scan(text), states.Scanner().Scan(text); !slices.Equal(got, want) {
				t.Fatalf("%q in %q: states find %v, nfas %v", patterns, text, want, got)
			}
		}
	}
	if nfas == 0 || fired == 0 {
		t.Errorf("%d nfas, %d fired", nfas, fired)
	}
	t.Logf("%d nfas between pieces, %d fired", nfas, fired)
}

// TestNFAAlphabet: an nfa keeps what takes a character for so many kinds of
// characters, and forgets them when there are more.
func TestNFAAlphabet(t *testing.T) {
	var patterns []string
	for i := range 400 {
		patterns = append(patterns, fmt.Sprintf(`[ab]%c.{3}b%c`, 0x400+i, 0x400+i*7%400), fmt.Sprintf(`%c[^%c]{2}b`, 0x400+i, 0x400+i))
	}
	states, set := compile(t, patterns...), compile(t, patterns...)
	stream.ForceNFA(set, 1<<20)
	w := newWriter(78)
	var text strings.Builder
	for range 5000 {
		text.WriteString(w.pick("a", "b", string(rune(0x400+w.IntN(400)))))
	}
	if got, want := feed(set, text.String()), feed(states, text.String()); !slices.Equal(got, want) || len(want) < 100 {
		t.Errorf("%d fired, with states %d", len(got), len(want))
	}
}

// TestNFAsTogether: streams share what their nfas are made from.
func TestNFAsTogether(t *testing.T) {
	for name, patterns := range exploding(40) {
		patterns = append(patterns, `b{9}a{3}`, `(?m)a[^]{30}b$`)
		set := compile(t, patterns...)
		stream.ForceNFA(set, 50)
		text := explosive(40, 2000) + "\né " + explosive(0, 200)
		want := feed(compile(t, patterns...), text)
		var wait sync.WaitGroup
		for seed := range 4 {
			wait.Go(func() {
				if got := feed(set, newWriter(uint64(seed)).pieces(text)...); !slices.Equal(got, want) {
					t.Errorf("%s: states %v, nfas %v", name, want, got)
				}
			})
		}
		wait.Wait()
	}
}

// TestNFAWhenNeeded: what makes a lane an nfa is a text that makes it explode, and
// no other; when it is over there are states again. A lane whose grid does not fit has states.
func TestNFAWhenNeeded(t *testing.T) {
	if raceEnabled {
		t.Skip("it is about one goroutine")
	}
	ordinary, _ := stream.Compile(corpus(5000), stream.Options{})
	st := ordinary.Stream()
	for _, piece := range tokens(output(200 << 10)) {
		st.Feed(piece)
	}
	if n := stream.Grids(ordinary); n > 0 {
		t.Errorf("%d lanes of an ordinary set were thought of as nfas", n)
	}
	for name, patterns := range exploding(30) {
		set, none := compile(t, patterns...), compile(t, patterns...)
		stream.NoNFA(none)
		st, other := set.Stream(), none.Stream()
		text := explosive(30, 3000)
		st.Feed(text)
		other.Feed(text)
		if stream.NFAs(st) == 0 || stream.NFAs(other) > 0 {
			t.Errorf("%s: %d nfas, and %d without memory for them", name, stream.NFAs(st), stream.NFAs(other))
		}
		st.Feed(strings.Repeat("words to come, then one more. ", 2000))
		if n := stream.NFAs(st); n > 0 {
			t.Errorf("%s: %d nfas are left", name, n)
		}
	}
}

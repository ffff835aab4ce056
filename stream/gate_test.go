package stream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// token gives a pattern of a word, a gap and a token after it, as those have that look for
// secrets.
func (w *writer) token() string {
	out := w.pick("", "(?i)", "", "(?i)") + w.pick("box", "key|box", `\bkey`, "(?:key|[Tt]ok)", "zz")
	if strings.Contains(out, "|") && !strings.Contains(out, ":") {
		out = strings.Replace(out, "key|box", "(?:key|box)", 1)
	}
	out += w.pick(`(?:.|[\n\r]){0,6}?`, `[^]{0,9}`, `.{2,5}`, `[ \t\w.-]{0,4}[\s'"]{0,2}(?:=|:)[\s"]{0,2}`, "", `\W{1,3}`, `é{0,2}.{0,3}`, `\s*=\s*`, `(?:=|.{0,8}: )`)
	for range 1 + w.IntN(2) {
		out += w.pick(`\b[a-z0-9]{4}\b`, `[a-f]{3,6}`, `(\w{2}-\w{3})\b`, `[\w.=-]{3,8}`, `é[ab]{3}`, `[a-zé]{4}`, `[ab]{2}[cd]{3}`, `[a-f]{2,}`, `(?:[ab]{3}|[cd]{5})`)
	}
	return out + w.pick("", `\b`, `(?:[;\s]|$)`, ";", "$", "(?!x)", `\B`)
}

// tokens gives a text of such words, gaps and tokens.
func (w *writer) tokens(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(w.pick("box", "key", "Key", "tok", "zz", " ", " = ", ": ", "\n", "é", "\xff", "-", ";", "\"", ".", "…"))
		for range w.IntN(9) {
			b.WriteString(w.pick("a", "b", "c", "d", "a", "b"))
		}
	}
	return b.String()
}

// TestGates: a set whose lanes sleep until what they wait for has come says what one says
// whose lanes are walked at once, wherever the text is cut and the stream saved.
func TestGates(t *testing.T) {
	t.Parallel()
	w := newWriter(79)
	slept, fired, held, heldAwake := 0, 0, 0, 0
	for n := range rounds(1500) {
		var patterns []string
		for range 1 + w.IntN(8) {
			patterns = append(patterns, w.token())
		}
		awake, set := compileValid(patterns), compileValid(patterns)
		stream.Gates(awake, 1<<30)
		stream.Gates(set, 1+n%3)
		if n%4 == 0 {
			stream.NoNFA(set)
		}
		for range 3 {
			text := w.tokens(w.IntN(60))
			want := feed(awake, text)
			fired += len(want)
			if got := feed(set, text); !slices.Equal(got, want) {
				t.Fatalf("%q on %q: awake %v, asleep %v", patterns, text, want, got)
			}
			st, other := set.Stream(), awake.Stream()
			var got []stream.Firing
			at, told := 0, 0
			for _, piece := range w.pieces(text) {
				got = append(got, st.Feed(piece)...)
				other.Feed(piece)
				at += len(piece)
				slept += stream.Asleep(st)
				if st.Pending() != other.Pending() {
					t.Fatalf("%q on %q: not the same is pending at %d", patterns, text, st.Offset())
				}
				if n%2 == 0 && len(got) == 0 {
					told = st.Begin(text[:at])
					held, heldAwake = held+at-told, heldAwake+at-other.Begin(text[:at])
				}
				if n%3 == 0 && w.IntN(4) == 0 {
					saved := st.Save()
					if !strings.Contains(strings.Join(patterns, ""), "(?!") && !slices.Equal(saved, other.Save()) {
						t.Fatalf("%q on %q: not the same is saved at %d", patterns, text, st.Offset())
					}
					restored, err := set.Restore(saved)
					if err != nil {
						t.Fatal(err)
					}
					st = restored
				}
			}
			if got = append(got, st.End()...); !slices.Equal(got, want) {
				t.Fatalf("%q on %q: awake %v, asleep in pieces %v", patterns, text, want, got)
			}
			if len(got) > 0 && told > 0 {
				pattern := patterns[got[0].Trigger]
				if rest, ok := strings.CutPrefix(pattern, "(?i)"); ok {
					pattern = "(?i:" + rest + ")"
				}
				if last := lastStart(t, pattern, text, got[0].Offset); last >= 0 && last < told {
					t.Errorf("%q in %q: the last match starts at %d and was told to be at %d or later", pattern, text, last, told)
				}
			}
			if got, want := set.Scanner().Scan(text), awake.Scanner().Scan(text); !slices.Equal(got, want) {
				t.Fatalf("%q in %q: awake finds %v, asleep %v", patterns, text, want, got)
			}
		}
	}
	if slept == 0 || fired == 0 || held > 2*heldAwake {
		t.Errorf("%d asleep between pieces, %d fired, %d bytes held and %d if all are awake", slept, fired, held, heldAwake)
	}
	t.Logf("%d asleep between pieces, %d fired, %d bytes held and %d if all are awake", slept, fired, held, heldAwake)
}

// TestGateBounds: text that enters lanes without end does not pile up, and characters
// outside of ASCII count once each.
func TestGateBounds(t *testing.T) {
	pattern := `box[^]{0,40}?\b[a-z0-9]{20}\b`
	for _, tt := range []struct {
		text string
		want int
	}{
		{strings.Repeat("box ", 5000), 0},
		{strings.Repeat("box ", 5000) + "0123456789abcdefghij ", 1},
		{"box" + strings.Repeat("…", 39) + " 0123456789abcdefghij ", 1},
		{"box" + strings.Repeat("…", 40) + " 0123456789abcdefghij ", 0},
		{"box" + strings.Repeat(".", 40) + "0123456789abcdefghij ", 1},
		{"box" + strings.Repeat(".", 41) + "0123456789abcdefghij ", 0},
		{"box 0123456789abcdefghijk box 0123456789abcdefghij", 1},
	} {
		set := compile(t, pattern)
		for _, size := range []int{1, 7, 5000} {
			st := set.Stream()
			fired := 0
			for text := tt.text; text != ""; {
				n := min(size, len(text))
				fired += len(st.Feed(text[:n]))
				text = text[n:]
				if kept := stream.KeptAsleep(st); kept > 32<<10 {
					t.Fatalf("%d bytes are kept", kept)
				}
			}
			if fired += len(st.End()); fired != tt.want {
				t.Errorf("%.60q in pieces of %d: %d fired", tt.text, size, fired)
			}
		}
	}
}

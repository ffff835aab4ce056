package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestWindowCutAnywhere: expressions with look-around see a window that moves. Where
// it is depends on the text alone, so the answers do not depend on the pieces.
func TestWindowCutAnywhere(t *testing.T) {
	t.Parallel()
	set := compile(t,
		`foo(?!bar)`, `(["'])x\1`, `(?<!no )stop\b`, `BEGIN(?=[^]*END)`, `(?<=BEGIN[^]*)END`, `(\w{9,})[^]*\1`, `^(?!import)z`, `(?<!^)q(?=é+$)`, `(?<!z[^]{0,70000})late`,
	)
	filler := strings.Repeat("some words é and more \"x' foobar no stop\n", 30)
	lengths := []int{0, 1, 31, 32, 33, 40, 63, 64, 65, 70, 100} // KB
	if raceEnabled {
		lengths = []int{0, 33}
	}
	for _, at := range lengths {
		long := strings.Repeat(filler, 100)
		text := "BEGIN z " + long[:at<<10] + `"x" END repetition stop foo` + long[:3000] + "repetition late " + long[:(at%7)<<13] + "qéé"
		want := feed(set, text)
		w := newWriter(uint64(at))
		for range rounds(4) {
			var pieces []string
			for rest := text; rest != ""; {
				n := min(1+w.IntN(1+w.IntN(20_000)), len(rest))
				pieces = append(pieces, rest[:n])
				rest = rest[n:]
			}
			if got := feed(set, pieces...); !slices.Equal(got, want) {
				t.Fatalf("%d KB: whole %v, in %d pieces %v", at, want, len(pieces), got)
			}
		}
		if at == 1 {
			if got := feed(set, tokens(text)...); !slices.Equal(got, want) {
				t.Fatalf("whole %v, in small pieces %v", want, got)
			}
		}
	}
}

// TestDroppedStates: a set whose states are dropped all the time says the same.
func TestDroppedStates(t *testing.T) {
	triggers := corpus(400)
	large, _ := stream.Compile(triggers, stream.Options{})
	small, _ := stream.CompileWithin(triggers, stream.Options{}, 40<<10)
	said := output(60<<10) + " x.unwrap() TODO(wesa) "
	want := fmt.Sprint(feed(large, said))
	if got := fmt.Sprint(feed(small, tokens(said)...)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	w := newWriter(9)
	for range rounds(200) {
		var patterns []string
		for range 1 + w.IntN(12) {
			patterns = append(patterns, w.expression())
		}
		var list []stream.Trigger
		for _, p := range patterns {
			list = append(list, stream.Trigger{Patterns: []string{p}})
		}
		tiny, _ := stream.CompileWithin(list, stream.Options{}, 4<<10)
		text := w.text() + w.text()
		if got, want := feed(tiny, w.pieces(text)...), feed(compileValid(patterns), text); !slices.Equal(got, want) {
			t.Fatalf("%q on %q: %v, want %v", patterns, text, got, want)
		}
	}
}

// TestGivenUpIsForgotten: of the places that were given up those are kept which the window still has, however long the text is.
func TestGivenUpIsForgotten(t *testing.T) {
	st := compile(t, `(q+)+\1r`).Stream()
	block := strings.Repeat("q", 40) + " r" + strings.Repeat(".", 16<<10)
	most := 0
	for range 100 {
		st.Feed(block)
		_, waiting := stream.KeptVerifier(st)
		most = max(most, waiting)
	}
	u := st.Undecided()
	if len(u) == 0 || u[0].Reason != stream.StepLimit || u[0].Starts < 50 {
		t.Fatalf("the test needs places that are given up: %#v", u)
	}
	if most == 0 || most > 1<<10 {
		t.Errorf("%d bytes are kept", most)
	}
}

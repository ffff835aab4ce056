package stream_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestSavedAnywhere: a stream that is saved and restored at every place says what
// one says that was not.
func TestSavedAnywhere(t *testing.T) {
	w := newWriter(31)
	w.modifiers, w.duplicates = true, true
	for range rounds(300) {
		var patterns []string
		for range 1 + w.IntN(8) {
			patterns = append(patterns, w.expression())
		}
		set := compileValid(patterns)
		again := compileValid(patterns)
		text := w.text() + w.broken()
		want := feed(set, text)
		st := set.Stream()
		var got []stream.Firing
		for _, piece := range w.pieces(text) {
			got = append(got, st.Feed(piece)...)
			restored, err := again.Restore(st.Save())
			if err != nil {
				t.Fatal(err)
			}
			st, set, again = restored, again, set
		}
		got = append(got, st.End()...)
		if !slices.Equal(got, want) {
			t.Fatalf("%q on %q: %v, saved and restored %v", patterns, text, want, got)
		}
	}
}

func TestSavedIsSmall(t *testing.T) {
	set, _ := stream.Compile(corpus(5000), stream.Options{})
	st := set.Stream()
	largest := 0
	for _, piece := range tokens(output(50 << 10)) {
		st.Feed(piece)
		largest = max(largest, len(st.Save()))
	}
	if largest > 1024 {
		t.Errorf("a saved stream takes %d bytes", largest)
	}
	t.Logf("%d bytes at most", largest)
}

func TestRestoreRefuses(t *testing.T) {
	set := compile(t, `a.*b`, `x(?!y)`)
	st := set.Stream()
	st.Feed("a..x")
	saved := st.Save()
	if _, err := compile(t, `a.*c`, `x(?!y)`).Restore(saved); !errors.Is(err, stream.ErrOtherSet) {
		t.Errorf("other patterns: %v", err)
	}
	for n := range saved {
		if _, err := set.Restore(saved[:n]); err == nil {
			t.Errorf("cut to %d bytes: no error", n)
		}
	}
}

// TestRestoreBeforeTheWindow: what is to be tried in text that is not there any more is refused.
func TestRestoreBeforeTheWindow(t *testing.T) {
	set := compile(t, `(\w+) \1!`)
	fed := func() *stream.Stream {
		st := set.Stream()
		st.Feed(strings.Repeat("some words! ", 6_000))
		return st
	}
	st := fed()
	window := stream.Misplace(st, st.Whole())
	if window == 0 {
		t.Fatal("the window has not moved")
	}
	for _, at := range []int64{-1, 0, window - 1, window, window + 1, st.Whole()} {
		st := fed()
		stream.Misplace(st, at)
		restored, err := set.Restore(st.Save())
		if (err == nil) != (at >= window) {
			t.Errorf("at %d of a window from %d on: %v", at, window, err)
		}
		if err == nil {
			if found := append(restored.Feed("and and"), restored.Feed("!")...); len(found) != 1 {
				t.Errorf("at %d: %v", at, found)
			}
		}
	}
}

// TestRestoreEarly: what only looks ahead of the automaton never tries anything, so that no stream has saved that it does.
func TestRestoreEarly(t *testing.T) {
	set := compile(t, `c$|c[^]`)
	st := set.Stream()
	st.Feed("ab")
	if _, err := set.Restore(st.Save()); err != nil {
		t.Fatal(err)
	}
	stream.Misplace(st, st.Whole())
	if _, err := set.Restore(st.Save()); err == nil {
		t.Error("restored")
	}
}

func FuzzRestore(f *testing.F) {
	set := compileValid([]string{`a.*b`, `x(?!y)`, `\bfoo\b`, `(?m)^\s*p`, `(q+)+\1r|z(?=!)`, `(?<=m.*)n(?!o)`, `c$|c[^]`, `(?!d)e|(?=e)`, `(.)\1{3}`})
	for _, text := range []string{"", "a foo xx\n ", "m q n", strings.Repeat("q", 30) + " r z c", "eé\xe2"} {
		st := set.Stream()
		st.Feed(text)
		f.Add(st.Save())
	}
	f.Fuzz(func(_ *testing.T, saved []byte) {
		st, err := set.Restore(saved)
		if err != nil {
			return
		}
		st.Feed("a b foo p xy é\n p mno qqr z! c")
		st.Save()
		st.End()
		st.Undecided()
	})
}

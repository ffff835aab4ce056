package stream_test

import (
	"encoding/binary"
	"errors"
	"fmt"
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

// TestRestoreOtherParts: bytes that say that they have parts which streams of the set do not have, or lack some that they do, are
// refused wherever they end.
func TestRestoreOtherParts(t *testing.T) {
	for _, patterns := range [][]string{{`a.*b`}, {`a.*b`, `x(?!y)`}, {`a.*b`, `(?!d)e|(?=e)`}, {`\w+:`, `a.{3}b`}, {`(?m)^[^b]*$`}} {
		set := compile(t, patterns...)
		if _, err := set.Restore(set.Stream().Save()); err != nil {
			t.Fatalf("before it has begun: %v", err)
		}
		st := set.Stream()
		st.Feed("a..x")
		saved := st.Save()
		if _, err := set.Restore(saved); err != nil {
			t.Fatal(err)
		}
		const flags = 9 // after the version and the name of the set
		for _, part := range []byte{4, 8} {
			changed := slices.Clone(saved)
			changed[flags] ^= part
			for n := flags + 1; n <= len(changed); n++ {
				if _, err := set.Restore(changed[:n]); err == nil {
					t.Errorf("%q, part %d, cut to %d of %d bytes: no error", patterns, part, n, len(saved))
				}
			}
		}
	}
}

// TestRestoredIsWhole: whatever one byte is changed to and wherever the bytes end then, they are refused, or a stream of which nothing
// was left out.
func TestRestoredIsWhole(t *testing.T) {
	for _, patterns := range [][]string{{`a`, `b`}, {`\w+:`, `a.{3}b`}, {`x.*y`}, {`x.*y`, `x(?!y)`}, {`(q+)\1r`}} {
		set := compile(t, patterns...)
		st := set.Stream()
		st.Feed("a..x qq\xe2")
		saved := st.Save()
		for i := 9; i < len(saved); i++ {
			for _, value := range []byte{1, 2, 3, 5, 14, 0x7f, saved[i] + 1, saved[i] - 1} {
				if value == 0 { // a position that is there twice is kept once
					continue
				}
				changed := slices.Clone(saved)
				changed[i] = value
				for n := i + 1; n <= len(changed); n++ {
					if st, err := set.Restore(changed[:n]); err == nil && len(st.Save()) != n {
						t.Errorf("%q: %v was restored as %v", patterns, changed[9:n], st.Save()[9:])
					}
				}
			}
		}
	}
}

// TestRestoreCutPacked: what was compressed is refused wherever it ends too early.
func TestRestoreCutPacked(t *testing.T) {
	set := compile(t, `x(?!y)`)
	st := set.Stream()
	st.Feed(strings.Repeat("a few words, ", 60))
	saved := st.Save()
	if len(saved) >= 512 {
		t.Fatalf("%d bytes are not compressed", len(saved))
	}
	if _, err := set.Restore(saved); err != nil {
		t.Fatal(err)
	}
	for n := range saved {
		if _, err := set.Restore(saved[:n]); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(saved))
		}
	}
}

// TestRestoreOfOthers: that it is a stream of other triggers is told of bytes that say no more than that, and nothing of fewer.
func TestRestoreOfOthers(t *testing.T) {
	saved := compile(t, `a`).Stream().Save()
	other := compile(t, `b`)
	for n := range saved {
		if _, err := other.Restore(saved[:n]); errors.Is(err, stream.ErrOtherSet) != (n >= 9) {
			t.Errorf("of %d bytes: %v", n, err)
		}
	}
}

// TestRestoreOffsets: a stream may be longer than any that there is, but not longer than can be counted.
func TestRestoreOffsets(t *testing.T) {
	set := compile(t, `ab`)
	saved := set.Stream().Save()
	const at = 10 // of the offset, which is 0
	for offset, want := range map[uint64]bool{1: true, 1 << 40: true, 1 << 62: true, 1<<62 + 1: false, 1 << 63: false, 1<<64 - 1: false} {
		st, err := set.Restore(slices.Concat(binary.AppendUvarint(slices.Clone(saved[:at]), offset), saved[at+1:]))
		if (err == nil) != want {
			t.Errorf("%d: %v", offset, err)
		}
		if err == nil && st.Whole() != int64(offset) {
			t.Errorf("%d is %d", offset, st.Whole())
		}
	}
}

// TestRestoreFired: of any number of triggers, those have fired that had.
func TestRestoreFired(t *testing.T) {
	for _, count := range []int{1, 2, 63, 64, 65, 128, 200} {
		var patterns []string
		for i := range count {
			patterns = append(patterns, fmt.Sprintf("<%d>", i))
		}
		set := compile(t, patterns...)
		st := set.Stream()
		for i := range count {
			if i%3 != 1 {
				st.Feed(patterns[i])
			}
		}
		st, err := set.Restore(st.Save())
		if err != nil {
			t.Fatal(err)
		}
		for i := range count {
			if st.Fired(i) != (i%3 != 1) {
				t.Errorf("%d of %d has fired: %v", i, count, st.Fired(i))
			}
		}
	}
}

// TestRestoreHeld: a character of which all but the last byte has come is gone on with.
func TestRestoreHeld(t *testing.T) {
	set := compile(t, "a😀b")
	st := set.Stream()
	for i, piece := range []string{"a\xf0", "\x9f", "\x98", "\x80", "b"} {
		found := st.Feed(piece)
		if (len(found) == 1) != (piece == "b") {
			t.Errorf("piece %d: %v", i, found)
		}
		next, err := set.Restore(st.Save())
		if err != nil || next.Offset() != st.Offset() {
			t.Fatalf("piece %d: %v", i, err)
		}
		st = next
	}
}

// TestRestoreTooMuchHeld: no character lacks its last byte and has four.
func TestRestoreTooMuchHeld(t *testing.T) {
	set := compile(t, `ab`)
	saved := set.Stream().Save()
	const at = 11 // of the number of bytes, which is 0
	for n := range 6 {
		held := slices.Concat(saved[:at], []byte{byte(n)}, []byte("\xf0\x9f\x98\x80\x80\x80")[:n], saved[at+1:])
		if _, err := set.Restore(held); (err == nil) != (n <= 3) {
			t.Errorf("%d bytes of a character: %v", n, err)
		}
	}
}

// TestRestoreBeforeItBegan: what matches where a text begins fires in a stream that was saved before that, and once.
func TestRestoreBeforeItBegan(t *testing.T) {
	for _, pattern := range []string{`x*`, `^`, `\B`, `(?!y)`} {
		set := compile(t, pattern)
		st := set.Stream()
		fired := 0
		for _, piece := range []string{"", "", " ", " a"} {
			next, err := set.Restore(st.Save())
			if err != nil {
				t.Fatal(err)
			}
			st = next
			fired += len(st.Feed(piece))
		}
		if fired != 1 {
			t.Errorf("%s fires %d times", pattern, fired)
		}
	}
}

// TestRestoreTooMany: there cannot be more triggers that have fired than there are, nor more than the bytes could say.
func TestRestoreTooMany(t *testing.T) {
	set := compile(t, `ab`)
	st := set.Stream()
	st.Feed("ab")
	saved := st.Save()
	const at = 12 // of how many have fired, and of the first of them
	for _, c := range []struct {
		fired []byte
		want  bool
	}{
		{[]byte{0}, true},
		{[]byte{1, 0}, true},
		{[]byte{2, 0, 0}, false},
		{binary.AppendUvarint(nil, 1<<60), false},
	} {
		if _, err := set.Restore(slices.Concat(saved[:at], c.fired, saved[at+2:])); (err == nil) != c.want {
			t.Errorf("%v have fired: %v", c.fired, err)
		}
	}
}

// TestRestoreDamagedVerifier: a record that no text leads to is refused, whatever part of it is wrong.
func TestRestoreDamagedVerifier(t *testing.T) {
	set := compile(t, `a[^]{0,900}b(?=cd)`)
	text := strings.Repeat(".", 70<<10) + "a..."
	stream0 := func() *stream.Stream {
		st := set.Stream()
		st.Feed(text)
		st.Feed("ab")
		return st
	}
	if _, err := set.Restore(stream0().Save()); err != nil {
		t.Fatal(err)
	}
	for name, damage := range stream.Damages {
		st := stream0()
		damage(st)
		if _, err := set.Restore(st.Save()); err == nil {
			t.Errorf("%s is restored", name)
		}
	}
}

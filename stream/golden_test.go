package stream_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/stream"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden asks the questions of a file, which are in parts between " ;; ".
func golden(t *testing.T, name string, answer func(parts []string) string) {
	t.Helper()
	goldentest.Questions(t, "testdata/"+name, *update, func(question string) string { return answer(strings.Split(question, " ;; ")) })
}

// TestStreamsStepByStep holds what streams and scans come to, and how: where each
// expression is after each piece, from where on a match may have begun, what is saved and which
// damaged bytes are refused. A question is options, expressions, several of
// one trigger between bars, and texts after >.
func TestStreamsStepByStep(t *testing.T) {
	golden(t, "streams.golden", func(parts []string) string {
		step, repeat, quiet := 1, 1, false
		for option := range strings.FieldsSeq(parts[0]) {
			name, value, _ := strings.Cut(option, "=")
			n, _ := strconv.Atoi(value)
			switch name {
			case "step":
				step = n
			case "repeat":
				repeat = n
			case "quiet":
				quiet = true
			}
		}
		var patterns, texts []string
		for _, part := range parts[1:] {
			if quoted, ok := strings.CutPrefix(part, ">"); ok {
				text, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatal(quoted, err)
				}
				texts = append(texts, text)
			} else {
				patterns = append(patterns, part)
			}
		}
		var triggers []stream.Trigger
		for i, pattern := range patterns {
			triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: strings.Split(pattern, " || ")})
		}
		set, problems := stream.Compile(triggers, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(parts, problems)
		}
		var b strings.Builder
		for _, text := range texts {
			// The text is repeated but for its last word.
			last := strings.LastIndexByte(text, ' ') + 1
			streamed(t, &b, set, strings.Repeat(text[:last], repeat)+text[last:], step, quiet)
		}
		return b.String() + set.Compiled()
	})
}

func streamed(t *testing.T, b *strings.Builder, set *stream.Set, text string, step int, quiet bool) {
	t.Helper()
	st, saved := set.Stream(), set.Stream()
	var fired, again []stream.Firing
	fmt.Fprintf(b, "%q of %d bytes\n", text[:min(len(text), 200)], len(text))
	for at := 0; at < len(text); at += step {
		piece := text[at:min(at+step, len(text))]
		found := st.Feed(piece)
		fired = append(fired, found...)
		if !quiet || len(found) > 0 {
			fmt.Fprintf(b, "  %q: %v, begins at %d, %s\n", piece[:min(len(piece), 40)], found, st.Begin(text[:min(at+step, len(text))]), st.Inside())
		}
		again = append(again, saved.Feed(piece)...)
		next, err := set.Restore(saved.Save())
		if err != nil || next.Inside() != saved.Inside() && !quiet {
			t.Errorf("%q at %d: restored %v, %v", text, at, next, err)
			return
		}
		saved = next
	}
	written := st.Save()
	fmt.Fprintf(b, "  saved %s\n", stream.Sum(written))
	if len(written) < 160 {
		fmt.Fprintf(b, "  damaged: %s\n", damaged(set, written))
	}
	fired, again = append(fired, slices.Clone(st.End())...), append(again, saved.End()...)
	if !slices.Equal(fired, again) || !slices.Equal(fired, feed(set, text)) && !quiet {
		t.Errorf("%q: %v, saved at each %v, at once %v", text, fired, again, feed(set, text))
	}
	fmt.Fprintf(b, "  all %v, undecided %v, %s, begins at %d, saved %s\n", fired, st.Undecided(), st.Inside(), st.Begin(text), stream.Sum(st.Save()))
	for _, u := range st.Undecided() {
		fmt.Fprintf(b, "  %s: %s\n", u, set.Hint(u))
	}
	scanner, linear := set.Scanner(), stream.ScanLinear(set.Scanner())
	found := few(scanner.Scan(text))
	fmt.Fprintf(b, "  scan %v, undecided %v\n  linear %v, undecided %v\n", found, scanner.Undecided(), few(linear.Scan(text)), linear.Undecided())
	if quiet {
		return
	}
	scanner.Scan(text + "\nand more\n" + text) // what a scanner keeps of another text changes nothing
	if again := few(scanner.Scan(text)); again != found {
		t.Errorf("%q, scanned again: %s, not %s", text, again, found)
	}
}

func few(list []stream.Match) string {
	if len(list) > 20 {
		return fmt.Sprint(list[:20], " and ", len(list)-20)
	}
	return fmt.Sprint(list)
}

// damaged changes each byte of what was saved, and writes what becomes of it: d for damaged, o for
// that of another set, r for restored; and which shorter ones are not refused.
func damaged(set *stream.Set, saved []byte) string {
	var b strings.Builder
	try := func(changed []byte) byte {
		st, err := set.Restore(changed)
		switch {
		case errors.Is(err, stream.ErrOtherSet):
			return 'o'
		case err != nil:
			return 'd'
		}
		st.Feed("and more é\n")
		st.Save()
		st.End()
		return 'r'
	}
	for i := range saved {
		for _, change := range []func(byte) byte{func(c byte) byte { return c + 1 }, func(c byte) byte { return c - 1 }, func(c byte) byte { return c ^ 0x80 }, func(c byte) byte { return c ^ 8 }} {
			changed := slices.Clone(saved)
			changed[i] = change(changed[i])
			b.WriteByte(try(changed))
		}
		if try(saved[:i]) == 'r' {
			fmt.Fprintf(&b, "[%d]", i)
		}
		b.WriteByte(' ')
	}
	b.WriteByte(try(append(slices.Clone(saved), 0)))
	return b.String()
}

// TestBounds: no bound is changed by accident. Texts that come to one are too long for a test, or cost
// time and memory alone.
func TestBounds(t *testing.T) {
	const want = "compile 256 16384 16777216 8388608; usage 2097152 524288 4194304 65536 4 32; memory 4194304 1; saved 5 6 512 1048576 8; scan 4194304 256 16 16 1024 4 16384 65536 16384 4 32 65536 1048576 4 16 134217728 128; stream 256; verifier {65536 32768} 1024 {16777216 262144} 2097152 8388608 4194304 32768 16 {{2097152 65536} {65536 32768} {1048576 32768} {1048576 32768} {16777216 262144}} {{2097152 65536} {65536 32768} {1048576 32768} {1048576 32768} {16777216 262144}} {{1048576 16384} {65536 32768} {1048576 16384} {1048576 16384} {4194304 65536}} {{419430 6553} {65536 32768} {262144 4096} {262144 4096} {1048576 16384}} {{16777 262} {4194 2097} {8388 131} {8388 131} {33554 524}} 2097510 103381; policy 10 3"
	if got := stream.Bounds(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

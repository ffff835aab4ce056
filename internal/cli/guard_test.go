package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pertain-dev/pertain/stream"
)

// cutReader gives a text in the pieces that it is cut into.
type cutReader struct{ pieces []string }

func (r *cutReader) Read(p []byte) (int, error) {
	if len(r.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.pieces[0])
	if r.pieces[0] = r.pieces[0][n:]; r.pieces[0] == "" {
		r.pieces = r.pieces[1:]
	}
	return n, nil
}

func triggerSet(t *testing.T, patterns []string) *stream.Set {
	t.Helper()
	var triggers []stream.Trigger
	for i, p := range patterns {
		triggers = append(triggers, stream.Trigger{Name: string(rune('a' + i)), Patterns: []string{p}})
	}
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return set
}

// begun gives a guard whose turn has begun.
func begun(t *testing.T, g *guard, set *stream.Set) *guard {
	t.Helper()
	if err := g.begin(context.Background(), set, nil); err != nil {
		t.Fatal(err)
	}
	return g
}

func runGuard(t *testing.T, set *stream.Set, in io.Reader, asJSON, keepGoing bool) (out string, fired bool) {
	t.Helper()
	var b bytes.Buffer
	g := &guard{out: &b, notes: io.Discard, json: asJSON}
	if keepGoing {
		g.policy.InterruptMode = stream.InterruptNever
	}
	begun(t, g, set)
	fired, err := g.run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), fired
}

func TestGuardStops(t *testing.T) {
	for _, c := range []struct {
		patterns   []string
		text, want string
		rules      string // and the offset; "" if nothing fires
	}{
		{[]string{`\.unwrap\(\)`}, "x.unwrap() y", "x.unwrap(", "a 10"},
		{[]string{`\.unwrap\(\)`}, "x.expect() y", "x.expect() y", ""},
		{[]string{`TODO\b`}, "a TODO b", "a TOD", "a 6"},
		{[]string{`TODO\b`}, "a TODO", "a TOD", "a 6"},
		{[]string{`TODO\b`}, "a TODOS", "a TODOS", ""},
		{[]string{`foo\b`, `foo`, `o `}, "foo bar", "fo", "a,b 3"},
		{[]string{`foo `, `foo\b`}, "foo bar", "fo", "b 3"},
		{[]string{`x*`}, "abc", "", "a 0"},
		{[]string{`é!`}, "caf\u00e9!", "caf\u00e9", "a 6"},
		{[]string{`é`}, "caf\u00e9!", "caf", "a 5"},
		{[]string{`foo(?!bar)`}, "foobaz!", "fooba", "a 6"},
		{[]string{`foo(?!bar)`}, "a foo", "a fo", "a 5"},
		{[]string{`end$`}, "the end", "the en", "a 7"},
		{[]string{`end$`}, "the end.", "the end.", ""},
		{[]string{`a`}, "\xe2\x80", "\xe2\x80", ""},
	} {
		set := triggerSet(t, c.patterns)
		for cut := range len(c.text) + 1 {
			got, fired := runGuard(t, set, &cutReader{[]string{c.text[:cut], c.text[cut:]}}, false, false)
			if got != c.want || fired != (c.rules != "") {
				t.Errorf("%q on %q cut at %d: copied %q, fired %v; want %q", c.patterns, c.text, cut, got, fired, c.want)
			}
			line, _ := runGuard(t, set, &cutReader{[]string{c.text[:cut], c.text[cut:]}}, true, false)
			told := ""
			if line != "" {
				var e guardEvent
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				told = fmt.Sprintf("%s %d", strings.Join(e.Rules, ","), e.Offset)
			}
			if told != c.rules {
				t.Errorf("%q on %q cut at %d: told %q, want %q", c.patterns, c.text, cut, told, c.rules)
			}
		}
	}
}

// TestGuardTellsNothingAfter: what comes after the offset where the copy stops does
// not exist, whether it was read or not.
func TestGuardTellsNothingAfter(t *testing.T) {
	set := triggerSet(t, []string{`(x+x+)+\1y`, `foo`, `foo\b`})
	many := strings.Repeat("x", 300)
	for _, c := range []struct {
		text string
		told bool // that the first is undecided
	}{
		{"foo " + many + " y y", false},
		{"foo", false},
		{many + " y foo " + many + " y", true},
		{strings.Repeat("long \n", rewindSize/4) + "foo " + many + " y y", false},
	} {
		var want string
		first := strings.Index(c.text, "foo")
		cuts := []int{0, first + 3, first + 4, len(c.text) - 1}
		for i, cut := range cuts {
			cut = min(cut, len(c.text))
			var notes bytes.Buffer
			g := begun(t, &guard{out: io.Discard, notes: &notes}, set)
			if fired, err := g.run(t.Context(), &cutReader{[]string{c.text[:cut], c.text[cut:]}}); !fired || err != nil {
				t.Fatal(fired, err)
			}
			if told := strings.Contains(notes.String(), "rule a may have missed"); told != c.told {
				t.Errorf("%.20q of %d bytes cut at %d: told %v, want %v", c.text, len(c.text), cut, told, c.told)
			}
			if i == 0 {
				want = notes.String()
			} else if notes.String() != want {
				t.Errorf("%.20q of %d bytes cut at %d:\n%swant\n%s", c.text, len(c.text), cut, notes.String(), want)
			}
		}
	}
}

// TestGuardCutAnywhere: what is copied and told does not depend on the pieces.
func TestGuardCutAnywhere(t *testing.T) {
	set := triggerSet(t, []string{`\bfoo\b`, `(?m)^\s*bar$`, `ba(?!z)`, `(.)\1\1`, `é+x`, `q.*z`, `\bx`})
	parts := []string{"foo", "bar", "baz", " ", "\n", "é", "x", "q", "z", "a", "\xe2", "\u2028", "o"}
	r := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		var b strings.Builder
		for range r.IntN(14) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		for _, mode := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			want, fired := runGuard(t, set, strings.NewReader(text), mode[0], mode[1])
			got, firedToo := runGuard(t, set, iotest.OneByteReader(strings.NewReader(text)), mode[0], mode[1])
			if got != want || fired != firedToo {
				t.Fatalf("%q, json %v, keep going %v: at once %q, byte by byte %q", text, mode[0], mode[1], want, got)
			}
			if mode == [2]bool{false, true} && got != text {
				t.Fatalf("%q: copied %q", text, got)
			}
		}
	}
}

// What came before a failure is copied, and the failure is told without it.
func TestGuardReadFails(t *testing.T) {
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{`x\.unwrap`}}}, stream.Options{})
	for _, in := range []io.Reader{
		io.MultiReader(strings.NewReader("said "), iotest.ErrReader(errBroken)),
		&dataAndError{"said "},
	} {
		var b bytes.Buffer
		g := begun(t, &guard{out: &b, notes: io.Discard}, set)
		fired, err := g.run(t.Context(), in)
		if fired || b.String() != "said " || !errors.Is(err, errBroken) || strings.Contains(err.Error(), "said") {
			t.Errorf("copied %q, fired %v, %v", b.String(), fired, err)
		}
	}
}

var errBroken = errors.New("broken pipe")

// dataAndError gives its text together with an error, as a reader may.
type dataAndError struct{ text string }

func (r *dataAndError) Read(p []byte) (int, error) { return copy(p, r.text), errBroken }

// A reader that is gone, and an interrupt while nothing arrives, end the copy.
func TestGuardEnds(t *testing.T) {
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{`x`}}}, stream.Options{})
	g := begun(t, &guard{out: &failingWriter{}, notes: io.Discard}, set)
	if _, err := g.run(t.Context(), strings.NewReader("said")); !errors.Is(err, errBroken) {
		t.Errorf("nobody reads: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	silent, _ := io.Pipe()
	cancel()
	if _, err := begun(t, &guard{out: io.Discard, notes: io.Discard}, set).run(ctx, silent); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

type failingWriter struct{}

func (*failingWriter) Write([]byte) (int, error) { return 0, errBroken }

// What is not decided yet is all that is held back.
func TestGuardHoldsBackNothingElse(t *testing.T) {
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{`end\b`, `\.unwrap\(\)`, `q(?!z)`}}}, stream.Options{})
	in, feed := io.Pipe()
	copied := make(chan string)
	done := make(chan error)
	go func() {
		g := begun(t, &guard{out: chanWriter(copied), notes: io.Discard}, set)
		_, err := g.run(context.Background(), in)
		close(copied)
		done <- err
	}()
	for _, c := range [][2]string{
		{"let y", "let y"},
		{" = x.unw", " = x.unw"},
		{"rap(", "rap("},
		{"caf\xc3", "caf"},
		{"\xa9", "\xc3\xa9"},
		{" en", " en"},
		{"d", ""},
		{"s", "ds"},
		{" ", " "},
	} {
		if _, err := feed.Write([]byte(c[0])); err != nil {
			t.Fatal(err)
		}
		if c[1] != "" {
			if got := <-copied; got != c[1] {
				t.Errorf("after %q: %q is copied, want %q", c[0], got, c[1])
			}
		}
	}
	_ = feed.Close()
	for rest := range copied {
		t.Errorf("at the end %q is copied", rest)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type chanWriter chan string

func (w chanWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

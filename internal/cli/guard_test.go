package cli

import (
	"bytes"
	"context"
	"encoding/json"
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

func runGuard(t *testing.T, patterns []string, in io.Reader, asJSON, keepGoing bool) (out string, fired bool) {
	t.Helper()
	var triggers []stream.Trigger
	for i, p := range patterns {
		triggers = append(triggers, stream.Trigger{Name: string(rune('a' + i)), Patterns: []string{p}})
	}
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var b bytes.Buffer
	g := &guard{set: set, out: &b, notes: io.Discard, json: asJSON, keepGoing: keepGoing}
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
		for cut := range len(c.text) + 1 {
			got, fired := runGuard(t, c.patterns, &cutReader{[]string{c.text[:cut], c.text[cut:]}}, false, false)
			if got != c.want || fired != (c.rules != "") {
				t.Errorf("%q on %q cut at %d: copied %q, fired %v; want %q", c.patterns, c.text, cut, got, fired, c.want)
			}
			line, _ := runGuard(t, c.patterns, &cutReader{[]string{c.text[:cut], c.text[cut:]}}, true, false)
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

// TestGuardCutAnywhere: what is copied and told does not depend on the pieces.
func TestGuardCutAnywhere(t *testing.T) {
	patterns := []string{`\bfoo\b`, `(?m)^\s*bar$`, `ba(?!z)`, `(.)\1\1`, `é+x`, `q.*z`, `\bx`}
	parts := []string{"foo", "bar", "baz", " ", "\n", "é", "x", "q", "z", "a", "\xe2", "\u2028", "o"}
	r := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		var b strings.Builder
		for range r.IntN(14) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		for _, mode := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			want, fired := runGuard(t, patterns, strings.NewReader(text), mode[0], mode[1])
			got, firedToo := runGuard(t, patterns, iotest.OneByteReader(strings.NewReader(text)), mode[0], mode[1])
			if got != want || fired != firedToo {
				t.Fatalf("%q, json %v, keep going %v: at once %q, byte by byte %q", text, mode[0], mode[1], want, got)
			}
			if mode == [2]bool{false, true} && got != text {
				t.Fatalf("%q: copied %q", text, got)
			}
		}
	}
}

package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/stream"
)

func compile(t testing.TB, patterns ...string) *stream.Set {
	t.Helper()
	var triggers []stream.Trigger
	for i, p := range patterns {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{p}})
	}
	set, problems := stream.Compile(triggers, stream.Options{})
	for _, p := range problems {
		t.Fatalf("/%s/: %s", patterns[p.Trigger], p)
	}
	return set
}

// feed gives everything that fires in a text that comes in pieces.
func feed(set *stream.Set, pieces ...string) []stream.Firing {
	st := set.Stream()
	var all []stream.Firing
	for _, p := range pieces {
		all = append(all, st.Feed(p)...)
	}
	return append(all, st.End()...)
}

func TestFirings(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          string // offset and where it was decided; "" for nothing
	}{
		{`\.unwrap\(\)`, "x.unwrap() y", "10/10"},
		{`console\.log\(`, "console.lo", ""},
		{`TODO\b`, "a TODO b", "6/7"},
		{`TODO\b`, "a TODO", "6/6"},
		{`TODO\b`, "a TODOS", ""},
		{`TODO\b`, "TODOS TODO.", "10/11"},
		{`foo$`, "foo foo", "7/7"},
		{`(?m)foo$`, "foo\nbar", "3/4"},
		{`(?m)foo$`, "foo\u2028bar", "3/6"},
		{`(?m)^bar`, "foo\u2028bar", "9/9"},
		{`^bar`, "foo\nbar", ""},
		{`^foo`, "foo", "3/3"},
		{`\bvar\s+\w+`, "a var  x1", "8/8"},
		{`import .* from ['"]lodash`, "import x from 'lodash'", "21/21"},
		{`import .* from ['"]lodash`, "import x\n from 'lodash'", ""},
		{`password\s*=\s*['"]`, "password  = \"x", "13/13"},
		{`x*`, "abc", "0/0"},
		{`^$`, "", "0/0"},
		{`^$`, "a", ""},
		{`\b`, "  a", "2/3"},
		{`$`, "ab", "0/0"},
		{`a$|a[^]`, "xab", "2/2"},
		{`a\b|a\B`, "xab", "2/2"},
		{`(?=a)|(?!a)`, "xab", "0/0"},
		{`foo(?!bar)|foobar`, "xfoobar", "4/4"},
		{`(?:)`, "", "0/0"},
		{`é`, "caf\u00e9s", "5/5"},
		{`[^a]b`, "a\xe2b", "3/3"},
		{"\ufffd", "a\xe2\x80b", "2/2"},
		{`foo(?!bar)`, "foobaz", "6/6"},
		{`foo(?!bar)`, "xfoo", "4/4"},
		{`(["'])x\1`, `'x" "x"`, "7/7"},
		{`(?<!no )foo`, "no foo, a foo", "13/13"},
		{`(?<!a)`, "b", "0/0"},
		{`(?i)api[_-]?key\s*[:=]`, "my API_KEY = 1", "12/12"},
		{`[A-Z0-9]{8,}`, "xx ABCD1234EF", "11/11"},
		{`(?m)^\s*print\(`, "a\n  print(1)", "10/10"},
		{`\w+Error\b`, "TypeErrors TypeError!", "20/21"},
		{`(foo|bar|baz)\s*\(`, "a baz (", "7/7"},
		{`fmt\.Print(ln|f)?\(`, "fmt.Println(", "12/12"},
		{`a.{3,5}b`, "a1b2b3b", "5/5"},
		{`😀{2}`, "😀😀", "8/8"},
		{`(?m)qz\n^^`, "qz\nx", "3/3"},
	} {
		set := compile(t, c.pattern)
		var got string
		for _, f := range feed(set, c.text) {
			got = fmt.Sprintf("%d/%d", f.Offset, f.Decided)
		}
		if got != c.want {
			t.Errorf("/%s/ on %q: %q, want %q", c.pattern, c.text, got, c.want)
		}
	}
}

// TestCutAnywhere: the answers are the same however the text is cut.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	w := newWriter(3)
	w.modifiers, w.duplicates = true, true
	count := rounds(2000)
	for n := range count {
		w.linear = n%2 == 0
		var patterns []string
		for range 1 + w.IntN(12) {
			patterns = append(patterns, w.expression())
		}
		set := compileValid(patterns)
		for range 3 {
			text := w.text() + w.text()
			if w.IntN(3) == 0 {
				text = w.broken()
			}
			want := feed(set, text)
			for cut := range len(text) + 1 {
				if got := feed(set, text[:cut], text[cut:]); !slices.Equal(got, want) {
					t.Fatalf("%q on %q: whole %v, cut at %d %v", patterns, text, want, cut, got)
				}
			}
			for range 3 {
				pieces := w.pieces(text)
				if got := feed(set, pieces...); !slices.Equal(got, want) {
					t.Fatalf("%q on %q: whole %v, in pieces %q %v", patterns, text, want, pieces, got)
				}
			}
		}
	}
}

func compileValid(patterns []string) *stream.Set {
	var triggers []stream.Trigger
	for _, p := range patterns {
		triggers = append(triggers, stream.Trigger{Patterns: []string{p}})
	}
	set, _ := stream.Compile(triggers, stream.Options{})
	return set
}

// earliestEnd gives where the earliest-ending match of an expression ends, by
// brute force: the expression followed by a look-behind that counts. -1: none.
func earliestEnd(t *testing.T, pattern, text string) int {
	whole, bad := regex.Compile(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
	if bad != nil {
		t.Fatalf("%s: %v", pattern, bad)
	}
	if matched, _ := whole.MatchString(text, regex.Limit{}); !matched {
		return -1
	}
	runes := []rune(text)
	size := 0
	for n := 0; n <= len(runes); n++ {
		re, bad := regex.Compile(endingAt(pattern, n), regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
		if bad != nil {
			t.Fatalf("%s: %v", endingAt(pattern, n), bad)
		}
		if matched, _ := re.MatchString(text, regex.Limit{}); matched {
			return size
		}
		if n < len(runes) {
			_, s := utf8.DecodeRuneInString(text[size:])
			size += s
		}
	}
	return -1
}

// early says whether an expression matches whatever follows a text.
func early(t *testing.T, pattern, text string) bool {
	re, bad := regex.Compile(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
	if bad != nil {
		t.Fatal(bad)
	}
	automaton := look.NewCache(1 << 20).Add(re.Tree())
	state := automaton.Begin(syntax.NoRune)
	for _, r := range text {
		state, _ = automaton.Next(state, r)
	}
	certain, _ := automaton.Certain(state, 1<<20)
	return certain
}

// endingAt narrows an expression to matches that end after n characters.
func endingAt(pattern string, n int) string {
	flags := ""
	if strings.HasPrefix(pattern, "(?") {
		if end := strings.IndexByte(pattern, ')'); end > 0 && strings.Trim(pattern[2:end], "ims") == "" && end > 2 {
			flags, pattern = pattern[:end+1], pattern[end+1:]
		}
	}
	return fmt.Sprintf(`%s(?:%s)(?<=(?<![^])[^]{%d})`, flags, pattern, n)
}

// TestAgainstBacktracking: the automaton, with all expressions in it at once, says
// the same as the backtracking machine says about each.
func TestAgainstBacktracking(t *testing.T) {
	t.Parallel()
	w := newWriter(11)
	w.modifiers, w.duplicates = true, true
	w.linear = true
	count := rounds(1200)
	for range count {
		var patterns []string
		for range 1 + w.IntN(16) {
			patterns = append(patterns, w.expression())
		}
		set := compile(t, patterns...)
		for range 2 {
			text := w.text()
			if w.IntN(4) == 0 {
				text = w.broken()
			}
			got := make([]int, len(patterns))
			for i := range got {
				got[i] = -1
			}
			for _, f := range feed(set, w.pieces(text)...) {
				got[f.Trigger] = int(f.Offset)
			}
			for i, p := range patterns {
				// One that is decided before its first match ends fires there.
				if want := earliestEnd(t, p, text); got[i] != want && (got[i] > want || got[i] < 0 || !early(t, p, text[:got[i]])) {
					t.Fatalf("/%s/ on %q: ends at %d, want %d (among %q)", p, text, got[i], want, patterns)
				}
			}
		}
	}
}

// TestLooksTogether: several look-aheads at one place wait for each other.
func TestLooksTogether(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		decided       int64
	}{
		{`b(?!aa)(?=a)`, "bab", 3},
		{`b(?=a)(?!aa)`, "ba", 2}, // at the end
		{`b(?!aa)(?=a)`, "baa", -1},
		{`b(?!aa)(?=\w)`, "baa bab", 7},
		{`(?m)^\w(?!a{3,}\W\B)(?=\w)`, " \nbab", 5},
		{`b(?=a)(?=[^]*c)(?!aa)`, "baabab-- c", 10},
		{`b(?=(?!aa)a)`, "bab", 3},
		{`b(?=a(?!a))(?=\w)`, "bab", 3},
	} {
		set := compile(t, c.pattern)
		for _, found := range [][]stream.Firing{feed(set, c.text), feed(set, strings.Split(c.text, "")...)} {
			decided := int64(-1)
			if len(found) > 0 {
				decided = found[0].Decided
			}
			if decided != c.decided {
				t.Errorf("/%s/ on %q: decided at %d, want %d", c.pattern, c.text, decided, c.decided)
			}
		}
	}
}

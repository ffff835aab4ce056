package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestLargeAlternation: an expression of thousands of alternatives is as good as that many expressions, words and others,
// and those that stand twice are taken once.
func TestLargeAlternation(t *testing.T) {
	var all []string
	for i := range 3000 {
		all = append(all, fmt.Sprintf("word%04d", i))
	}
	all = append(all, "word0007", `look(?!ing)`, `[xy]{3}`, `(["'])q\1`)
	for text, want := range map[string]string{"word0007 'q'": "[{0 8 8}]", "a'q' look": "[{0 4 4}]", "look": "[{0 4 4}]", "looking xxy": "[{0 11 11}]"} {
		if got := fmt.Sprint(feed(compile(t, strings.Join(all, "|")), text)); got != want {
			t.Errorf("%q, with a back-reference: %s, want %s", text, got, want)
		}
	}
	all[len(all)-1] = `(["'])q["']`
	set := compile(t, strings.Join(all, "|"), "second")
	if n := strings.Count(set.Compiled(), "\nexpression "); n != 3000+3+1 {
		t.Errorf("%d expressions", n)
	}
	for text, want := range map[string]string{
		"a word2999 b": "[{0 10 10}]", "word0007": "[{0 8 8}]", "wor": "[]", "looking": "[]", "a look, second": "[{0 7 7} {1 14 14}]", "axyxz": "[{0 4 4}]", "'q'": "[{0 3 3}]", "'q": "[]", "word0001word0002": "[{0 8 8}]",
	} {
		if got := fmt.Sprint(feed(set, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if _, problems := stream.Compile([]stream.Trigger{{Patterns: []string{strings.Join(all, "|")}}, {Patterns: []string{"("}}}, stream.Options{}); len(problems) != 1 || problems[0].Trigger != 1 || problems[0].Full {
		t.Error(problems)
	}
}

// TestManyCharacters: an expression that tells too many characters apart to be followed beside the automaton fires all the same.
func TestManyCharacters(t *testing.T) {
	var all strings.Builder
	all.WriteString(`q$|q[^]`)
	for i := range 300 {
		fmt.Fprintf(&all, "|%c%c", 0x4E00+2*i, 'a'+i%26)
	}
	set := compile(t, all.String())
	for text, want := range map[string]string{"xq": "[{0 2 2}]", "xq!": "[{0 3 3}]", "\u4E00a": "[{0 4 4}]", "\u4E01a": "[]", "\u4E00b": "[]"} {
		if got := fmt.Sprint(feed(set, strings.Split(text, "")...)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		st := set.Stream()
		st.Feed(text[:1])
		if _, err := set.Restore(st.Save()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

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
	set := compile(t, strings.Join(all, "|"), "second")
	for text, want := range map[string]string{
		"a word2999 b": "[{0 10 10}]", "word0007": "[{0 8 8}]", "wor": "[]", "looking": "[]", "a look, second": "[{0 7 7} {1 14 14}]", "axyxz": "[{0 4 4}]", "'q'": "[{0 3 3}]", "'q\"": "[]",
	} {
		if got := fmt.Sprint(feed(set, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if _, problems := stream.Compile([]stream.Trigger{{Patterns: []string{strings.Join(all, "|")}}, {Patterns: []string{"("}}}, stream.Options{}); len(problems) != 1 || problems[0].Trigger != 1 || problems[0].Full {
		t.Error(problems)
	}
}

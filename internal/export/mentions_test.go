package export

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is found by hand is what these say.
var (
	wordForm    = regexp.MustCompile(`(?:^|[\s(*"])@([\pL\pN_./\\-]+)`)
	kiroForm    = regexp.MustCompile(`#\[\[file:([^\]]+)\]\]`)
	fenceForm   = regexp.MustCompile("(?ms)^ {0,3}(```|~~~).*?(^ {0,3}(```|~~~)[^\n]*$|\\z)")
	spanForm    = regexp.MustCompile("`[^`\n]*`")
	commentForm = regexp.MustCompile(`(?ms)^ {0,3}<!--.*?(-->|\z)`)
)

func TestMentionsIn(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 9))
	parts := []string{"@", "a", "é/b.md", " ", "\n", "`", "``", "```", "~~~", "```go\n", "\n```\n", "   ", "#[[file:", "x.md", "]]", "]", "(", "\"", "*", ".", ",", "<!--", "-->", "\n<!-- ", "@d/e.md,"}
	for range 30_000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		bare := spanForm.ReplaceAllString(fenceForm.ReplaceAllString(text, ""), "")
		var words, kiro unique
		for line := range strings.Lines(bare) {
			for _, m := range wordForm.FindAllStringSubmatch(line, -1) {
				words.add(strings.TrimRight(m[1], ".,"))
			}
			for _, m := range kiroForm.FindAllStringSubmatch(line, -1) {
				kiro.add(m[1])
			}
		}
		if got := mentionsIn(text); !slices.Equal(got.words, words.list) || !slices.Equal(got.kiro, kiro.list) {
			t.Fatalf("%q: %q, want %q and %q", text, got, words.list, kiro.list)
		}
		all := commentForm.FindAllString(bare, -1)
		if some, open := comments(text); some != (len(all) > 0) || open != (len(all) > 0 && !strings.HasSuffix(all[len(all)-1], "-->")) {
			t.Fatalf("%q: some %v, open %v, want %q", text, some, open, all)
		}
	}
	many := mentionsIn(strings.Repeat("@a @a ", 100_000) + strings.Repeat("@b/"+strings.Repeat("c", 9)+" ", 2) + "#[[file:k]]")
	if !slices.Equal(many.words, []string{"a", "b/ccccccccc"}) || !slices.Equal(many.kiro, []string{"k"}) {
		t.Errorf("%q", many)
	}
}

// TestTooLargePlan: the files of all agents together have so much text at most, and nothing is written where they have more.
func TestTooLargePlan(t *testing.T) {
	w := newWorld(t, nil)
	large := Rule{Name: "r", Source: ".pertain/rules/r.md", Text: strings.Repeat("x", 100<<20)}
	forms := func(agents ...string) []Form {
		list, err := CheckTargets(agents, false)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if _, err := NewPlan(context.Background(), w.folders, []Rule{large}, forms("claude", "cursor"), false); err != nil {
		t.Error(err)
	}
	var tooLarge *TooLargeError
	if _, err := NewPlan(context.Background(), w.folders, []Rule{large}, forms("claude", "cursor", "cline"), false); !errors.As(err, &tooLarge) || !strings.Contains(err.Error(), "256 MiB") {
		t.Errorf("%v", err)
	}
}

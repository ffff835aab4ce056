package lsp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAnyPosition: at every position of conditions, whatever stands there, a server answers, and goes on. A path of which no field is known was once
// looked for again and again.
func TestAnyPosition(t *testing.T) {
	e := start(t, t.TempDir())
	e.initialize(nil)
	rng := rand.New(rand.NewPCG(7, 1))
	words := []string{
		"extra", "a", "extra.a", "extra.browser", "extra.browser.foo", "active_tab", "url", "clipboard", "text", "clipboard.text", "contains", "any", "all", "none", "not",
		"length", "attachments.files", "attachments.files[0]", "extension", "in", "visual", "visual.match", "query", "environment", "os", "equals", "min", "extra.a[0].b", "x", "",
	}
	key := func() string {
		out := words[rng.IntN(len(words))]
		for rng.IntN(3) == 0 {
			out += "." + words[rng.IntN(len(words))]
		}
		return out
	}
	document := func() string {
		var b strings.Builder
		b.WriteString("---\nwhen:\n")
		for depth := 1; depth < 2+rng.IntN(6); depth++ {
			b.WriteString(strings.Repeat("  ", depth) + key() + ":" + []string{"\n", " x\n", " {" + key() + ": x}\n", " [\n", " {\n"}[rng.IntN(5)])
		}
		return b.String() + "---\nText.\n"
	}
	texts := []string{"---\nwhen:\n  extra.a:\n    b: x\n---\n", "---\nwhen:\n  extra.a: {b: x}\n---\n", "---\nwhen:\n  extra.a[0].b: \n---\n", "---\nwhen:\n  extra:\n    a:\n      b:\n---\n"}
	for range 30 {
		texts = append(texts, document())
	}
	for i, text := range texts {
		name := fmt.Sprintf("d%d.strategy.md", i)
		e.open(name, 1, text)
		for line, content := range strings.Split(text, "\n") {
			for at := 0; at <= len(content); at += 1 + rng.IntN(3) {
				for _, method := range []string{"textDocument/hover", "textDocument/completion", "textDocument/definition"} {
					e.call(method, map[string]any{"textDocument": map[string]any{"uri": e.file(name)}, "position": map[string]any{"line": line, "character": at}})
				}
			}
		}
	}
	e.goodbye()
}

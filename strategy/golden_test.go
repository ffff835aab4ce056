package strategy_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden: documents and the strategies that they are. What follows a line `@@ PATH` is another file, for `from`.
func TestGolden(t *testing.T) {
	goldentest.Run(t, "testdata/normalize.golden", *update, func(_ *testing.T, c goldentest.Case) string {
		tree := files.NewMemory(files.Unix)
		parts := strings.Split("\n"+c.Text, "\n@@ ")
		for _, part := range parts[1:] {
			path, text, _ := strings.Cut(part, "\n")
			tree.WriteFile(path, plainText(text))
		}
		n := &strategy.Normalizer{
			Resolvers: []strategy.Resolver{strategyfile.Resolver{Tree: tree}, scripted{"skill", map[string]string{"skill://one": skill, "skill://none": "---\nname: ' '\n---\nText."}}},
		}
		origin := strategy.Origin{Provider: "user", Path: "a.strategy.md", Trusted: true}
		name := "/u/a.strategy.md"
		for _, word := range c.Words {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "path":
				origin.Path = value
			case "provider":
				origin.Provider = value
			case "stranger":
				origin.Trusted, origin.Confine = false, "/u"
			case "checked":
				n.Preprocessors = plan.Preprocessors()
			}
		}
		s := n.Normalize(t.Context(), name, []byte(plainText(strings.TrimPrefix(parts[0], "\n"))), origin)
		return describe(s)
	})
}

// plainText writes out what a golden file should not hold as it is.
func plainText(text string) string {
	return strings.NewReplacer("<CR>", "\r", "<BOM>", "\uFEFF", "<ZWSP>", "\u200b", "<BAD>", "\xff").Replace(text)
}

// describe writes a strategy, but for what is usual.
func describe(s *strategy.Strategy) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q valid %v\n", s.ID, s.Name, s.Valid)
	line := func(name string, unusual bool, value any) {
		if unusual {
			fmt.Fprintf(&b, "%s: %+q\n", name, fmt.Sprint(value))
		}
	}
	line("key", s.OwnKey() != strategy.Key(s.ID), s.OwnKey())
	line("id at", s.IDSpan().End > 0, s.Source.Text()[s.IDSpan().Start:s.IDSpan().End])
	line("enabled", !s.Enabled, s.Enabled)
	line("titles", s.Titles != nil, s.Titles)
	line("description", s.Description != "", s.Description)
	line("icon", s.Icon != "", s.Icon)
	line("priority", s.Priority != 0, s.Priority)
	line("needs", len(s.Needs.Names()) > 0, s.Needs.Names())
	line("runnable", s.Program == nil, "no")
	line("tools", s.Tools != nil, s.Tools)
	line("preprocessors", s.Preprocessors != nil, s.Preprocessors)
	line("system prompt", s.SystemPrompt != "", s.SystemPrompt)
	line("limits", s.Limits != cond.DefaultLimits(), s.Limits)
	line("body", s.Body != "", s.Body)
	line("derived", s.Derived, s.Derived)
	for _, source := range s.Includes {
		line("includes", true, source.Name())
	}
	goldentest.Tell(&b, "", s.Diagnostics)
	return b.String()
}

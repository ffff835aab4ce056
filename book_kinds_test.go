package pertain_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// TestBookBlocks: every example that is no command is what it says: a strategy without mistakes, a context, settings, a part of
// a program in the tree. No block is left out.
func TestBookBlocks(t *testing.T) {
	for _, path := range bookPages(t) {
		for _, b := range blocks(readPage(t, path)) {
			if problem := blockProblem(t, b); problem != "" {
				t.Errorf("%s:%d: %s", path, b.at+1, problem)
			}
		}
	}
}

func blockProblem(t *testing.T, b block) string {
	t.Helper()
	switch {
	case b.kind == "console":
		if len(commands(b.lines)) == 0 {
			return "there is no command in it"
		}
	case b.kind == "text" || b.kind == "sh":
	case b.kind == "json":
		var any any
		if err := json.Unmarshal([]byte(b.text()), &any); err != nil {
			return err.Error()
		}
	case b.kind == "go":
		data, err := os.ReadFile(filepath.FromSlash(b.name))
		if err != nil || !strings.Contains(plainLines(string(data)), plainLines(b.text())) {
			return "is no part of the file " + b.name
		}
	case b.name == "settings":
		if _, list := settings.Parse(diag.NewSource("config.yaml", b.text())); len(list) > 0 {
			return list[0].Message
		}
	case strings.HasSuffix(b.name, ".context.yaml") || strings.HasSuffix(b.name, ".context.json"):
		if _, err := facts.Decode(b.name, []byte(b.text())); err != nil {
			return err.Error()
		}
	case b.kind == "yaml" && b.name == "":
		text := "---\n" + b.text() + "---\nx\n"
		if !strings.Contains(text, "\nname:") {
			text = "---\nname: X\n" + text[len("---\n"):]
		}
		return strategyProblem(t, text)
	case b.kind == "markdown" && (b.name == "" || strategy.IsFile("/"+b.name)):
		return strategyProblem(t, b.text())
	case b.name == "": // of another kind
		return "what is a block `" + b.kind + "`?"
	}
	return "" // other named files are for commands
}

// meant are mistakes that a page shows on purpose.
var meant = regexp.MustCompile(`clipbord\.text`)

func strategyProblem(t *testing.T, text string) string {
	t.Helper()
	n := &strategy.Normalizer{Preprocessors: preprocess.Registry()}
	s := n.Normalize(t.Context(), "/x.strategy.md", []byte(text), strategy.Origin{Provider: "user", Path: "x.strategy.md"})
	list := append(s.Diagnostics, cond.Check(s.When)...)
	list = append(list, plan.Check(s, preprocess.Registry())...)
	for _, d := range list {
		if d.Code != diag.StrategyInvalidFrom && !meant.MatchString(text) { // sources are there when commands run
			return string(d.Code) + ": " + d.Message
		}
	}
	return ""
}

// plainLines is a text without indentation.
func plainLines(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestCodexIsToldFromTheRootOn: of files that Codex cuts off together, the outer ones are told of first.
func TestCodexIsToldFromTheRootOn(t *testing.T) {
	text := strings.Repeat("Twenty thousand. ", 1200)
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/w/AGENTS.md": text, "/w/a/AGENTS.md": text + "a", "/w/a/b/AGENTS.md": text + "b"})
	set, err := rule.Load(t.Context(), discover.Rules(w.tree, w.roots("/w/a/b")), rule.Options{Root: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, d := range set.Warnings() {
		if d.Code == diag.RuleTooLarge {
			told = append(told, d.Source.Name())
		}
	}
	if got := strings.Join(told, " "); got != "/w/a/AGENTS.md /w/a/b/AGENTS.md" {
		t.Errorf("%s", got)
	}
}

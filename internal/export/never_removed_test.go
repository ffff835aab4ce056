package export

import (
	"os"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestPruneKeepsSources: what rules are taken from is not removed, whatever mark it has, and the last copy of a text is a rule.
func TestPruneKeepsSources(t *testing.T) {
	for _, from := range []string{"cursor", ".cursor/rules", ".cursor/rules/a.mdc,.cursor/rules/h.mdc"} {
		w := newWorld(t, map[string]string{".pertain/rules/a.md": always + "TEXT-A"})
		w.export(Run{}, Source{}, "cursor")
		if err := os.RemoveAll(w.path(".pertain")); err != nil {
			t.Fatal(err)
		}
		w.write(".cursor/rules/h.mdc", always+"HAND")
		for range 2 {
			got := w.export(Run{Prune: true}, Source{From: strings.Split(from, ",")}, "claude", "cursor")
			w.becomes(got, ".cursor/rules/a.mdc", Skipped, "where the rule comes from")
			if !strings.Contains(w.read(".cursor/rules/a.mdc"), "TEXT-A") || !strings.Contains(w.read(".claude/rules/a.md"), "TEXT-A") {
				t.Errorf("--from %s: the text is lost", from)
			}
		}
	}
}

// TestPruneKeepsNamedAgents: not even a file whose own source is here, or was renamed there, goes from an agent that is the source.
func TestPruneKeepsNamedAgents(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/a.md": always + "TEXT-A", ".pertain/rules/b.md": always + "TEXT-B"})
	w.export(Run{}, Source{}, "cursor", "codex")
	if err := os.Remove(w.path(".pertain/rules/a.md")); err != nil {
		t.Fatal(err)
	}
	w.write(".cursor/rules/h.mdc", always+"HAND")
	got := w.export(Run{Prune: true}, Source{From: []string{"cursor"}}, "claude", "cursor", "codex")
	w.becomes(got, ".cursor/rules/a.mdc", Skipped, "rules are taken from there")
	w.becomes(got, ".cursor/rules/b.mdc", Skipped, "rules are taken from there")
	w.becomes(got, ".claude/rules/h.md", Created, "")
	w.read(".cursor/rules/a.mdc")
	got = w.export(Run{Prune: true}, Source{From: []string{"agents-md"}}, "amp")
	w.becomes(got, "AGENTS.md", Skipped, "rules are taken from there")

	_, warnings, err := Load(t.Context(), w.folders, Source{From: []string{"cursor"}, Dir: w.folders.Root})
	if err != nil || len(warnings) != 1 || !strings.HasSuffix(warnings[0].Source.Name(), "a.mdc") {
		t.Errorf("what is left out is not told: %v %v", warnings, err)
	}
	got = w.export(Run{Prune: true}, Source{}, "cursor")
	w.becomes(got, ".cursor/rules/a.mdc", Removed, "")
}

// TestExportedAgain: a rule of which an exported file is all that is left can be exported from there; its text then stands once.
func TestExportedAgain(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/a.md": always + "TEXT-A"})
	w.export(Run{}, Source{}, "cursor")
	if err := os.RemoveAll(w.path(".pertain")); err != nil {
		t.Fatal(err)
	}
	w.write(".cursor/rules/h.mdc", always+"HAND")
	w.export(Run{}, Source{From: []string{"cursor"}}, "claude")
	set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: w.folders.Root}), rule.Options{Root: w.folders.Root})
	if err != nil || len(set.Warnings()) > 0 || len(set.Rules()) != 2 {
		t.Errorf("%v %v %v", set.Rules(), set.Warnings(), err)
	}
}

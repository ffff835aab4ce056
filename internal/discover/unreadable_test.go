package discover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestUnreadable: what is named like a rule and cannot be read is a warning.
func TestUnreadable(t *testing.T) {
	tests := []struct {
		name string
		make func(*files.Memory)
		file string
	}{
		{"file", func(m *files.Memory) { m.WriteFile("/w/.cursor/rules/a.mdc", "x"); m.Close("/w/.cursor/rules/a.mdc") }, "/w/.cursor/rules/a.mdc"},
		{"rules folder", func(m *files.Memory) { m.WriteFile("/w/.cursor/rules/a.mdc", "x"); m.Close("/w/.cursor/rules") }, "/w/.cursor/rules"},
		{"folder below", func(m *files.Memory) { m.WriteFile("/w/.cursor/rules/b/a.mdc", "x"); m.Close("/w/.cursor/rules/b") }, "/w/.cursor/rules/b"},
		{"dangling link", func(m *files.Memory) { m.MakeLink("none", "/w/AGENTS.md") }, "/w/AGENTS.md"},
		{"dangling link to a folder", func(m *files.Memory) { m.MakeLink("none", "/w/.cursor/rules") }, "/w/.cursor/rules"},
		{"dangling link in a folder", func(m *files.Memory) { m.MakeLink("none", "/w/.cursor/rules/a.mdc") }, "/w/.cursor/rules/a.mdc"},
		{"loop", func(m *files.Memory) { m.MakeLink("CLAUDE.md", "/w/CLAUDE.md") }, "/w/CLAUDE.md"},
		{"file in the place of a folder", func(m *files.Memory) { m.WriteFile("/w/.windsurf/rules", "x") }, "/w/.windsurf/rules"},
		{"folder in the place of a file", func(m *files.Memory) { m.WriteFile("/w/AGENTS.md/a.md", "x") }, "/w/AGENTS.md"},
		{"empty folder in the place of a file", func(m *files.Memory) { m.MakeFolder("/w/.github/copilot-instructions.md") }, "/w/.github/copilot-instructions.md"},
		{"link to a folder in the place of a file", func(m *files.Memory) { m.MakeLink(".git", "/w/.cursorrules") }, "/w/.cursorrules"},
		{"pipe", func(m *files.Memory) { m.MakeSpecial("/w/GEMINI.md") }, "/w/GEMINI.md"},
		{"pipe in a folder", func(m *files.Memory) { m.MakeSpecial("/w/.windsurf/rules/a.md") }, "/w/.windsurf/rules/a.md"},
		{"user's file", func(m *files.Memory) { m.MakeLink("none", "/home/u/.claude/CLAUDE.md") }, "/home/u/.claude/CLAUDE.md"},
	}
	if info, _ := diag.RuleEmpty.Info(); !strings.Contains(info.Sentence, "cannot be read") {
		t.Errorf("the meaning of %s leaves this out: %s", diag.RuleEmpty, info.Sentence)
	}
	for _, test := range tests {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.omp/rules/good.md": "x"})
		test.make(w.tree)
		set := w.load(t, w.roots("/w"))
		list := set.Warnings()
		if len(list) != 1 || list[0].File() != test.file || list[0].Code != diag.RuleEmpty || list[0].Provider == "" || !strings.Contains(list[0].Message, "cannot be read") {
			t.Errorf("%s: %+v", test.name, list)
		}
		if got := names(set.All()); !slices.Equal(got, []string{"native:good"}) {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestLinksToTheHome: a rule that is kept among the user's files is one of the
// project all the same.
func TestLinksToTheHome(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/home/u/dotfiles/a.md": "A.", "/home/u/dotfiles/cursorrules": "B.", "/w/shared/c.md": "C.",
	})
	w.tree.MakeLink("/home/u/dotfiles/a.md", "/w/.cursor/rules/a.mdc")
	w.tree.MakeLink("/home/u/dotfiles/cursorrules", "/w/.cursorrules")
	w.tree.MakeLink("../../shared/c.md", "/w/.cursor/rules/c.mdc")
	set := w.load(t, w.roots("/w"))
	if got := names(set.All()); !slices.Equal(got, []string{"cursor:a", "cursor:c", "cursor:cursorrules"}) || len(set.Warnings()) > 0 {
		t.Errorf("%v %v", got, set.Warnings())
	}
}

// TestLimitsOfTools are those on a file, and Codex's on all files of a way.
func TestLimitsOfTools(t *testing.T) {
	tests := []struct {
		name  string
		texts map[string]string
		dir   string
		want  string
	}{
		{"legacy Windsurf", map[string]string{"/w/.windsurfrules": strings.Repeat("é", 12_001)}, "/w", "/w/.windsurfrules"},
		{"legacy Windsurf below", map[string]string{"/w/.windsurfrules": strings.Repeat("é", 12_000)}, "/w", ""},
		{"Codex, one file", map[string]string{"/w/AGENTS.md": strings.Repeat("a", 40_000)}, "/w", "/w/AGENTS.md"},
		{"Codex, in all", map[string]string{"/w/AGENTS.md": strings.Repeat("a", 20_000), "/w/p/AGENTS.md": strings.Repeat("a", 20_000)}, "/w/p", "/w/p/AGENTS.md"},
		{"Codex, below", map[string]string{"/w/AGENTS.md": strings.Repeat("a", 20_000), "/w/p/AGENTS.md": "x"}, "/w/p", ""},
		{"Codex, overridden", map[string]string{"/w/AGENTS.override.md": "x", "/w/AGENTS.md": strings.Repeat("a", 20_000), "/w/p/AGENTS.md": strings.Repeat("a", 20_000)}, "/w/p", ""},
	}
	for _, test := range tests {
		test.texts["/w/.git/HEAD"] = ""
		w := newWorld(files.Unix, test.texts)
		got := ""
		for _, d := range w.load(t, w.roots(test.dir)).Warnings() {
			if d.Code == diag.RuleTooLarge {
				got += d.File()
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestClineInvalid: Cline applies a rule always whose frontmatter is no YAML.
func TestClineInvalid(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.clinerules/a.md": "---\npaths: []\nnonsense\n\t- [}\n---\nBody."})
	if r := only(t, w.load(t, w.roots("/w"))); r.Bucket != "always" {
		t.Errorf("bucket %s", r.Bucket)
	}
}

// TestContinueKeepsLists: a comma string would be one pattern.
func TestContinueKeepsLists(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.continue/rules/a.md": "---\nglobs: [**/*.ts, !**/*.d.ts]\n---\nBody."})
	if r := only(t, w.load(t, w.roots("/w"))); !slices.Equal(r.Globs, []string{"**/*.ts", "!**/*.d.ts"}) || len(r.Fixes) != 2 {
		t.Errorf("%q %v", r.Globs, r.Fixes)
	}
}

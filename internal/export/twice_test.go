package export

import (
	"slices"
	"strings"
	"testing"
)

// TestReadTwice: an agent that reads what is written for another one, beside its own file, is told of.
func TestReadTwice(t *testing.T) {
	w := newWorld(t, map[string]string{
		".pertain/rules/x.md": always + "one", ".pertain/rules/y.md": "manual", ".pertain/rules/g.md": "---\nglobs: \"*.ts\"\n---\nglobbed",
	})
	for _, c := range []struct {
		agents string
		file   string
		want   []string
	}{
		{"cursor,crush", ".cursor/rules/x.mdc", []string{"twice: Crush reads this file as well as AGENTS.md"}},
		{"crush,cursor", ".cursor/rules/x.mdc", []string{"twice: Crush reads this file as well as AGENTS.md"}},
		{"cursor,crush", ".cursor/rules/y.mdc", []string{"also: Crush reads this file, and always"}},
		{"cursor,crush", ".cursor/rules/g.mdc", []string{"twice: Crush reads this file as well as AGENTS.md, and always"}},
		{"cursor,crush", "AGENTS.md", []string{"twice: Cursor reads this file as well as .cursor/rules, and always"}},
		{"cursor", ".cursor/rules/x.mdc", nil},
		{"claude,copilot", ".claude/rules/x.md", []string{"twice: Copilot CLI reads this file as well as .github/instructions"}},
		{"claude,copilot", ".claude/rules/g.md", []string{"twice: Copilot CLI reads this file as well as .github/instructions"}},
		{"claude,copilot", ".github/instructions/x.instructions.md", nil},
		{"claude,kiro", ".claude/rules/x.md", nil},
		{"claude,kiro", ".kiro/steering/x.md", nil},
		{"codex,opencode,pi", "AGENTS.md", nil},
		// Claude Code reads AGENTS.md where there is no CLAUDE.md.
		{"claude,codex", "AGENTS.md", []string{"twice: Claude Code reads this file as well as .claude/rules, and always"}},
	} {
		got := w.export(Run{DryRun: true}, Source{}, strings.Split(c.agents, ",")...)
		if told := got[c.file].Notes; !slices.Equal(told, c.want) {
			t.Errorf("%s: %s: %q, want %q", c.agents, c.file, told, c.want)
		}
	}
	w.write("CLAUDE.md", "mine\n")
	if got := w.export(Run{DryRun: true}, Source{}, "claude", "codex")["AGENTS.md"].Notes; len(got) > 0 {
		t.Errorf("with a CLAUDE.md Claude Code does not read AGENTS.md: %q", got)
	}
}

// TestNestedTwice: the file of a folder is one that agents come to later.
func TestNestedTwice(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": "---\nglobs: \"src/**\"\n---\none", "src/a.ts": "x"})
	got := w.export(Run{DryRun: true}, Source{}, "codex", "cursor")["src/AGENTS.md"]
	if got == nil || !slices.Contains(got.Notes, "twice: Cursor reads this file as well as .cursor/rules") {
		t.Errorf("%+v", got)
	}
}

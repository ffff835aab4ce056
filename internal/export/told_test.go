package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/mark"
)

// TestLossesAreTold: what does not survive is told, whichever agent comes first and wherever the rule stands.
func TestLossesAreTold(t *testing.T) {
	const emptied = "H\n" + mark.Begin + "\n" + mark.End + "\n"
	for _, c := range []struct {
		name, rule, agents, file, want string
		files                          map[string]string
	}{
		{"an import, for the second agent", always + "see @docs/x.md", "codex,goose", "AGENTS.md", "text: Goose brings in", map[string]string{"docs/x.md": "D"}},
		{"an import, for the first agent", always + "see @docs/x.md", "goose,codex", "AGENTS.md", "text: Goose brings in", map[string]string{"docs/x.md": "D"}},
		{"globs of a trigger", "---\nglobs: [\"src/**\"]\ncondition: foo\n---\nB", "omp", ".omp/rules/r.md", "globs: ", nil},
		{"a field of oh-my-pi", always[:len(always)-4] + "agents: [task]\n---\nB", "omp", ".omp/rules/r.md", "field: `agents` is left out", nil},
		{"a trigger of oh-my-pi", "---\ndescription: D\nastCondition: foo($A)\n---\nB", "omp", ".omp/rules/r.md", "field: `astCondition` is left out", nil},
		{"the description of a rule that always applies", "---\nalwaysApply: true\ndescription: Why\n---\nB", "codex", "AGENTS.md", "description: ", nil},
		{"the description of a rule with globs", "---\nglobs: [\"*.ts\"]\ndescription: Why\n---\nB", "gemini", "GEMINI.md", "description: ", nil},
		{"a description beside globs", "---\nglobs: [\"src/**/*.ts\"]\ndescription: Why\n---\nB", "roo", ".roo/rules/r.md", "description: ", nil},
		{"a comment between marks", always + "A1\n\n<!-- gone -->\n\nA2", "claude", "CLAUDE.md", "text: Claude Code reads it otherwise", map[string]string{"CLAUDE.md": emptied}},
		{"a fence without an end", always + "A1\n\n```\nfoo", "codex", "AGENTS.md", "text: its last code fence is not closed", nil},
		{"a skill that Windows has no folder for", "---\ndescription: D\n---\nB", "claude", ".claude/skills/rule-prn/SKILL.md", "name: ", map[string]string{".pertain/rules/prn.md": "---\ndescription: D\n---\nB"}},
	} {
		w := newWorld(t, c.files)
		w.write(".pertain/rules/r.md", c.rule)
		got := w.export(Run{}, Source{}, strings.Split(c.agents, ",")...)[c.file]
		if got == nil || !slices.ContainsFunc(got.Losses, func(loss string) bool { return strings.HasPrefix(loss, c.want) }) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestOpenEnds: a rule whose fence or comment has no end does not stand above what a person wrote, where it can stand elsewhere.
func TestOpenEnds(t *testing.T) {
	for _, text := range []string{"A1\n\n```\nfoo", "~~~~\nx\n~~~", "A1\n\n<!-- gone\n\nA2"} {
		w := newWorld(t, map[string]string{".pertain/rules/a.md": always + text, ".pertain/rules/b.md": always + "TEXT-B\n\n```\nx\n```", "CLAUDE.md": marks})
		got := w.export(Run{}, Source{}, "claude")
		w.becomes(got, ".claude/rules/a.md", Created, "")
		if between := w.read("CLAUDE.md"); strings.Contains(between, text) || !strings.Contains(between, "TEXT-B") {
			t.Errorf("%q", between)
		}
	}
}

// TestPruneWithoutMark: an exported file whose mark a person took away stays, and that is told once.
func TestPruneWithoutMark(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/a.md": always + "T"})
	w.export(Run{}, Source{}, "cursor")
	w.write(".cursor/rules/a.mdc", "HAND\n"+w.read(".cursor/rules/a.mdc"))
	w.write(".pertain/rules/b.md", w.read(".pertain/rules/a.md"))
	w.write(".pertain/rules/a.md", "---\nenabled: false\n---\nT")
	w.becomes(w.export(Run{Prune: true}, Source{}, "cursor"), ".cursor/rules/a.mdc", Refused, "a person wrote it")
	if w.export(Run{Prune: true}, Source{}, "cursor")[".cursor/rules/a.mdc"] != nil || !strings.HasPrefix(w.read(".cursor/rules/a.mdc"), "HAND") {
		t.Error("it is told again, or gone")
	}
}

// TestSkillTwice: an agent that has a rule in a file which it shares is told of that file, and not of the skills that it reads besides.
func TestSkillTwice(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/d.md": "---\ndescription: D\n---\nB"})
	for name, f := range w.export(Run{DryRun: true}, Source{}, "crush", "opencode", "copilot") {
		for _, note := range f.Notes {
			if strings.HasSuffix(name, "/SKILL.md") && strings.Contains(note, "OpenCode") && !strings.Contains(note, "AGENTS.md") && !strings.Contains(note, "their own") {
				t.Errorf("%s: %s", name, note)
			}
		}
	}
}

// TestNothingElse: of a hand-written file that ends in its mark, not even the end of the line is added.
func TestNothingElse(t *testing.T) {
	for _, end := range []string{"", "\n", "\r\n"} {
		w := newWorld(t, map[string]string{".pertain/rules/a.md": always + "T", "AGENTS.md": "H\n" + mark.Begin + "\n" + mark.End + end})
		w.export(Run{}, Source{}, "codex")
		if text := w.read("AGENTS.md"); !strings.Contains(text, "\nT\n") || strings.HasSuffix(text, mark.End) != (end == "") {
			t.Errorf("%q: %q", end, text)
		}
		w.becomes(w.export(Run{}, Source{}, "codex"), "AGENTS.md", Unchanged, "")
	}
}

func TestOddTextsAndGlobs(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/cr.md": always + "one\rtwo", ".pertain/rules/g.md": "---\nglobs: [\".*\"]\n---\nB"})
	got := w.export(Run{}, Source{}, "claude")
	if losses := got[".claude/rules/cr.md"].Losses; len(losses) != 1 || !strings.HasPrefix(losses[0], "text: carriage returns") {
		t.Errorf("%q", losses)
	}
	if losses := got[".claude/rules/g.md"].Losses; len(losses) != 1 || !strings.HasPrefix(losses[0], "globs: Claude Code takes what lies below a folder") {
		t.Errorf("%q", losses)
	}
}

// TestStartedAtRoot: an agent that loads nothing later never has what stands in the file of a folder, unless it is started there.
func TestStartedAtRoot(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/p.md": "---\nglobs: [\"packages/pay/**\"]\n---\nT", "packages/pay/a.go": ""})
	for name, f := range w.export(Run{DryRun: true}, Source{}, "codex", "opencode", "pi") {
		if told := strings.Join(f.Losses, "\n"); name != "packages/pay/AGENTS.md" || !strings.Contains(told, "Codex reads that file only if it is started in that folder") || !strings.Contains(told, "pi reads that file only") || strings.Contains(told, "OpenCode reads that file only") {
			t.Errorf("%s: %s", name, told)
		}
	}
}

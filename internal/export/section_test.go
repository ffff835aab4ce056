package export

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/mark"
)

const marks = "# Mine\n\nAbove.\n" + mark.Begin + "\n" + mark.End + "\nBelow.\n"

// TestOwnSection: where an agent with a folder has a hand-written file with marks, rules that always apply go between them, and what is
// for some files stays in the folder.
func TestOwnSection(t *testing.T) {
	rules := map[string]string{".pertain/rules/x.md": always + "Be kind.", ".pertain/rules/g.md": "---\nglobs: \"*.ts\"\n---\nNo any."}
	for _, c := range []struct{ agent, file, folder string }{
		{"claude", "CLAUDE.md", ".claude/rules/g.md"},
		{"claude", ".claude/CLAUDE.md", ".claude/rules/g.md"},
		{"qwen", "QWEN.md", ".qwen/rules/g.md"},
		{"copilot", ".github/copilot-instructions.md", ".github/instructions/g.instructions.md"},
		{"windsurf", ".windsurfrules", ".windsurf/rules/g.md"},
		{"cursor", ".cursorrules", ".cursor/rules/g.mdc"},
	} {
		t.Run(c.agent+" "+c.file, func(t *testing.T) {
			w := newWorld(t, rules)
			w.write(c.file, marks)
			got := w.export(Run{}, Source{}, c.agent)
			w.becomes(got, c.file, Changed, "")
			w.becomes(got, c.folder, Created, "")
			if len(got) != 2 || strings.Join(got[c.file].Losses, "\n") != "name: rules in "+c.file[strings.LastIndex(c.file, "/")+1:]+" have none" {
				t.Errorf("%d files, losses %q", len(got), got[c.file].Losses)
			}
			text := w.read(c.file)
			if !strings.HasPrefix(text, "# Mine\n\nAbove.\n"+"<!-- pertain export from ") || !strings.HasSuffix(text, "-->\nBe kind.\n"+mark.End+"\nBelow.\n") {
				t.Errorf("%s", text)
			}
			w.becomes(w.export(Run{}, Source{}, c.agent), c.file, Unchanged, "")

			w.write(c.file, strings.Replace(text, "Be kind.", "Be mine.", 1))
			w.becomes(w.export(Run{}, Source{}, c.agent), c.file, Refused, "its section was edited")
			w.becomes(w.export(Run{Prune: true}, Source{}, c.agent), c.file, Refused, "its section was edited")
			w.write(c.file, text)

			w.write(".pertain/rules/x.md", "---\nglobs: \"*.md\"\n---\nBe kind.")
			w.becomes(w.export(Run{}, Source{}, c.agent), c.file, Skipped, "--prune removes it")
			w.export(Run{Prune: true}, Source{}, c.agent)
			if w.read(c.file) != marks {
				t.Errorf("pruned it is %q", w.read(c.file))
			}
		})
	}
}

// TestOwnSectionStaysWhole: half of the marks, lines of somebody between them, other line ends.
func TestOwnSectionStaysWhole(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "Be kind."})
	for text, why := range map[string]string{
		"a\n" + mark.Begin + "\nb\n":                                "has no `" + mark.End + "` behind it",
		"a\n" + mark.End + "\nb\n":                                  "has no `" + mark.End + "` behind it",
		marks + marks:                                               "more than one pair",
		"a\n" + mark.Begin + "\nmine\n" + mark.End + "\n":           "lines between its marks that a person wrote",
		"a\n" + mark.Begin + "\n" + mark.End + "\n\xff not UTF-8\n": "not UTF-8",
	} {
		w.write("CLAUDE.md", text)
		got := w.export(Run{Prune: true}, Source{}, "claude")
		w.becomes(got, "CLAUDE.md", Refused, why)
		if w.read("CLAUDE.md") != text || got[".claude/rules/x.md"] != nil {
			t.Errorf("%q became %q", text, w.read("CLAUDE.md"))
		}
	}
	w.write("CLAUDE.md", strings.ReplaceAll("\ufeff"+marks, "\n", "\r\n"))
	w.becomes(w.export(Run{}, Source{}, "claude"), "CLAUDE.md", Changed, "")
	if text := w.read("CLAUDE.md"); !strings.HasPrefix(text, "\ufeff# Mine\r\n") || strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Errorf("%q", text)
	}
	w.becomes(w.export(Run{}, Source{}, "claude"), "CLAUDE.md", Unchanged, "")
}

// TestUserSection: the user's own CLAUDE.md has marks, too.
func TestUserSection(t *testing.T) {
	w := newWorld(t, map[string]string{"~/.omp/agent/rules/x.md": always + "Be kind.", "~/.claude/CLAUDE.md": marks})
	w.becomes(w.export(Run{}, Source{User: true}, "claude"), "~/.claude/CLAUDE.md", Changed, "")
	if text := w.read("~/.claude/CLAUDE.md"); !strings.Contains(text, "Be kind.\n") {
		t.Errorf("%q", text)
	}
}

// TestUnusedMarks: marks in a file that no rules are written into are told of, and the file is left alone.
func TestUnusedMarks(t *testing.T) {
	w := newWorld(t, map[string]string{".pertain/rules/x.md": always + "one", "CLAUDE.local.md": marks, "AGENTS.md": marks})
	got := w.export(Run{}, Source{}, "claude", "codex")
	w.becomes(got, "CLAUDE.local.md", Skipped, "nothing is written between its marks: rules for Claude Code stand in .claude/rules")
	w.becomes(got, "AGENTS.md", Changed, "")
	w.becomes(got, ".claude/rules/x.md", Created, "")
	if w.read("CLAUDE.local.md") != marks {
		t.Error("CLAUDE.local.md was changed")
	}
	w.write("CLAUDE.local.md", "mine\n")
	if w.export(Run{}, Source{}, "claude")["CLAUDE.local.md"] != nil {
		t.Error("a file without marks is told of")
	}
}

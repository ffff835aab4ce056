package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/mark"
)

// TestLoads: what an agent loads itself is not given to it, at the beginning or for a file, by whatever name.
func TestLoads(t *testing.T) {
	w := newWorld(t)
	w.file("AGENTS.md", "Text of AGENTS.\n")
	w.file("CLAUDE.md", "Text of CLAUDE.\n")
	w.file("GEMINI.md", "Text of GEMINI.\n")
	w.file(".claude/rules/own.md", "---\npaths: '**/*.ts'\n---\nText of Claude's rule.\n")
	w.file(".cursor/rules/ts.mdc", "---\nglobs: '**/*.ts'\n---\nText of Cursor's rule.\n")
	w.file("pkg/AGENTS.md", "Text of the package.\n")
	w.file("a.ts", "")
	w.file("pkg/b.ts", "")
	for _, c := range []struct {
		agent, begin, after, read string
		begun, got, lacks         []string
	}{
		{agent: "claude", begin: "SessionStart", after: "PostToolUse", read: "Read", begun: []string{"AGENTS", "GEMINI"}, got: []string{"Cursor's rule"}, lacks: []string{"of CLAUDE", "Claude's rule"}},
		{agent: "codex", begin: "SessionStart", after: "PostToolUse", read: "Read", begun: []string{"CLAUDE", "GEMINI"}, got: []string{"Cursor's rule", "Claude's rule"}, lacks: []string{"of AGENTS"}},
		{agent: "gemini", begin: "SessionStart", after: "AfterTool", read: "read_file", begun: []string{"AGENTS", "CLAUDE"}, got: []string{"Cursor's rule", "Claude's rule", "of the package"}, lacks: []string{"of GEMINI"}},
	} {
		begun := w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": c.begin, "source": "startup"}, c.agent)
		for _, name := range c.begun {
			has(t, begun, "Text of "+name)
		}
		got := begun
		for _, file := range []string{"a.ts", "pkg/b.ts"} {
			got += w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": c.after, "tool_name": c.read, "tool_input": fields{"file_path": file}}, c.agent)
		}
		has(t, got, c.got...)
		lacks(t, got, c.lacks...)
	}
}

// TestLoadsRenamed: memory files count as they are called in the agent's settings; those of a workspace that is not trusted keep none of
// the user's own rules from the model.
func TestLoadsRenamed(t *testing.T) {
	for _, settings := range []string{"~/.gemini/settings.json", ".gemini/settings.json"} {
		w := newWorld(t)
		w.file("~/.omp/agent/rules/mine.md", "---\nalwaysApply: true\n---\nText of mine.\n")
		w.file("~/.gemini/GEMINI.md", "Text of my GEMINI.\n")
		w.file("AGENTS.md", "Text of AGENTS.\n")
		w.file("GEMINI.md", "Text of GEMINI.\n")
		w.file("THEIRS.md", "Text of mine.\n")
		begin := func(agent string) string {
			return w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, agent)
		}
		got := begin("gemini")
		has(t, got, "Text of mine", "Text of AGENTS")
		lacks(t, got, "GEMINI.")
		w.file(settings, `{"context": {"fileName": ["AGENTS.md", "THEIRS.md"]}}`)
		got = begin("gemini")
		has(t, got, "Text of GEMINI", "Text of my GEMINI")
		lacks(t, got, "Text of AGENTS")
		if own := settings[0] == '~'; strings.Contains(got, "Text of mine") == own {
			t.Errorf("by %s: %s", settings, got)
		}
		w.file("~/.codex/config.toml", "project_doc_fallback_filenames = [\"GEMINI.md\"]\n")
		has(t, begin("codex"), "Text of GEMINI") // there is an AGENTS.md
		if err := os.Remove(filepath.Join(w.dir, "AGENTS.md")); err != nil {
			t.Fatal(err)
		}
		lacks(t, begin("codex"), "Text of GEMINI")
	}
}

// TestLoadsImported: what an agent has, or was given, is not given again by a file that imports it.
func TestLoadsImported(t *testing.T) {
	w := newWorld(t)
	w.file("AGENTS.md", "Text of AGENTS.\n")
	w.file("x.md", "Text of x.\n")
	w.file("CLAUDE.md", "Text of CLAUDE. @AGENTS.md @x.md\n")
	w.file("GEMINI.md", "Text of GEMINI. @AGENTS.md @x.md\n")
	w.file("QWEN.md", "@AGENTS.md\n")
	got := w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, "codex")
	has(t, got, "Text of CLAUDE", "Text of GEMINI")
	lacks(t, got, "Text of AGENTS", "QWEN")
	if n := strings.Count(got, "Text of x"); n != 1 {
		t.Errorf("it is given %d times: %s", n, got)
	}
}

// TestLoadsExported: what was exported into a file with others is not given again; what such a file only claims to hold is.
func TestLoadsExported(t *testing.T) {
	w := newWorld(t)
	w.file(".pertain/rules/a.md", "---\nalwaysApply: true\n---\nText of a.\n")
	w.file(".pertain/rules/b.md", "---\nalwaysApply: true\n---\nText of b.\n")
	w.file(".pertain/rules/c.md", "---\nalwaysApply: true\n---\nText of c.\n")
	sources := []string{".pertain/rules/a.md", ".pertain/rules/b.md", ".pertain/rules/c.md"}
	w.file("AGENTS.md", mark.Seal(mark.HTML(sources)+"\n\nText of a."+mark.Between+"Text of b.\n"))
	got := w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, "codex")
	lacks(t, got, "Text of a", "Text of b")
	has(t, got, "Text of c")
}

// TestLoadsSkill: a rule that the agent lists as a skill is not listed again; one whose skill is somebody's own, or says something else, is.
func TestLoadsSkill(t *testing.T) {
	w := newWorld(t)
	made := func(name, text string) string {
		return mark.Seal("---\n" + mark.YAML([]string{".pertain/rules/" + name + ".md"}) + "\nname: " + name + "\ndescription: About " + name + "\n---\n\n" + text + "\n")
	}
	for _, name := range []string{"same", "other", "edited", "none"} {
		w.file(".pertain/rules/"+name+".md", "---\ndescription: About "+name+"\n---\nText of "+name+".\n")
	}
	w.file(".claude/skills/same/SKILL.md", made("same", "Text of same."))
	w.file(".claude/skills/other/SKILL.md", made("other", "Something else."))
	w.file(".claude/skills/edited/SKILL.md", made("edited", "Text of edited.")+"Text of edited.\n")
	got := w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, "claude")
	lacks(t, got, "About same")
	has(t, got, "About other", "About edited", "About none")
	has(t, w.event(fields{"session_id": "l", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, "codex"), "About same")

	w.file(".pertain/rules/Deep/Same.md", "---\ndescription: About deep\n---\nText of deep.\n")
	w.file(".agents/skills/deep-same/SKILL.md", made("Deep/Same", "Text of deep."))
	lacks(t, w.event(fields{"session_id": "m", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, "codex"), "About deep")
}

package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestLoadedBy: who takes a spelling in a project; what an agent takes in the home is another file.
func TestLoadedBy(t *testing.T) {
	for _, test := range []struct{ spelling, name, want string }{
		{"Agents.md", "AGENTS.md", "`Agents.md` is loaded by Copilot CLI, Crush alone; the others look for `AGENTS.md`"},
		{".gemini/GEMINI.md", ".gemini/gemini.md", "`.gemini/GEMINI.md` is loaded by oh-my-pi alone; the others look for `.gemini/gemini.md`"},
		{".codex/AGENTS.md", ".codex/agents.md", "no agent looks for `.codex/AGENTS.md`"},
	} {
		if got := discover.LoadedBy(test.spelling, test.name); got != test.want {
			t.Errorf("%s: %s", test.spelling, got)
		}
	}
}

func TestNearNames(t *testing.T) {
	for path, want := range map[string]string{
		"/w/agents.md":                              "is loaded by Copilot CLI, Crush, Factory droid, Windsurf alone",
		"/w/Claude.md":                              "is loaded by Copilot CLI, Factory droid alone",
		"/w/p/claude.md":                            "is loaded by Copilot CLI alone",
		"/w/.cursor/rule/a.mdc":                     "no agent looks for `.cursor/rule`",
		"/w/.cursorrule":                            "no agent looks for `.cursorrule`",
		"/w/.github/instructions/style.md":          "whose names end in `.instructions.md`",
		"/w/copilot-instructions.md":                "no agent looks for",
		"/w/.github/Copilot-Instructions.md":        "is loaded by Copilot CLI alone",
		"/w/.github/instructions/x.instruction.md":  "whose names end in `.instructions.md`",
		"/w/.claude/rules/x.mdc":                    "Claude Code loads only files whose names end in `.md`",
		"/w/.windsurf/rules/y.mdc":                  "Windsurf loads only",
		"/w/p/.cursor/rules/x.txt":                  "Cursor loads only files whose names end in `.mdc` or `.md`",
		"/w/.qwen/rules/x.markdown":                 "Qwen Code loads only",
		"/w/.claude/rules/x.png":                    "",
		"/w/.claude/rules/README.txt":               "",
		"/w/.clinerules/x.txt":                      "",
		"/w/AGENTS.md":                              "",
		"/w/.github/instructions/README.md":         "",
		"/w/.github/instructions/a.instructions.md": "",
		"/w/.cursor/rules/a.mdc":                    "",
	} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/p/x": "", path: "T"})
		list := discover.NearNames(w.tree, w.roots("/w/p"))
		switch {
		case want == "" && len(list) > 0, want != "" && (len(list) != 1 || list[0].Code != diag.RuleNearName || list[0].Hint == "" || !strings.Contains(list[0].Message, want)):
			t.Errorf("%s: %v", path, list)
		}
		if strings.Contains(path, "x.instruction.md") && list[0].Hint != "rename it to `x.instructions.md`" {
			t.Errorf("%s: %s", path, list[0].Hint)
		}
	}
}

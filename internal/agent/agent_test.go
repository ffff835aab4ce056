package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/agent"
)

// names are those that `--agent` takes.
const names = "amazonq amp augment claude cline codex continue copilot crush cursor droid gemini goose junie kilo kiro omp opencode pi qwen roo trae warp windsurf zed"

func TestNames(t *testing.T) {
	if got := strings.Join(agent.Names(), " "); got != names {
		t.Errorf("the agents are %s", got)
	}
	if !slices.IsSorted(agent.Names()) {
		t.Error("the table is not sorted by name")
	}
	if _, ok := agent.Lookup("Claude"); ok {
		t.Error("a name is found by another spelling")
	}
}

// TestRows: every row is whole, so that nothing that reads the table has to ask.
func TestRows(t *testing.T) {
	for _, a := range agent.All() {
		if a.Title == "" || !strings.HasPrefix(a.Source, "https://") || len(a.Groups) == 0 {
			t.Errorf("%s: title %q, source %q, %d groups", a.Name, a.Title, a.Source, len(a.Groups))
		}
		seen := map[string]bool{}
		for _, g := range a.Groups {
			if g.Pick != agent.Every && len(g.Kinds) < 2 {
				t.Errorf("%s: a choice of one", a.Name)
			}
			for _, kind := range g.Kinds {
				for _, p := range kind {
					checkLocation(t, a, p, seen)
				}
			}
		}
		for _, p := range a.Skills {
			checkLocation(t, a, p, seen)
			if p.IsFolder() || !strings.Contains(p.Path, "skill") || !a.Measured() && p.Source == "" {
				t.Errorf("%s: %s is no folder of skills, or nobody says so", a.Name, p.Path)
			}
		}
	}
}

func checkLocation(t *testing.T, a agent.Agent, p agent.Location, seen map[string]bool) {
	t.Helper()
	user := p.Where&agent.User != 0
	if p.Where == 0 || user && p.Where&^agent.User != 0 {
		t.Errorf("%s %s: both the user's and the project's, or neither", a.Name, p.Path)
	}
	if strings.HasPrefix(p.Path, "/") != (p.Where == agent.System) || strings.HasSuffix(p.Path, "/") || strings.Contains(p.Path, `\`) {
		t.Errorf("%s %s: no clean path", a.Name, p.Path)
	}
	key := p.Path + p.Where.String() + strings.Join(p.Exts, ",")
	if seen[key] {
		t.Errorf("%s %s: twice", a.Name, p.Path)
	}
	seen[key] = true
	if p.Where&agent.Below != 0 && a.Touch == (agent.Touch{}) {
		t.Errorf("%s %s: loaded on touching a file, and nothing touches one", a.Name, p.Path)
	}
}

func TestMarkdown(t *testing.T) {
	text := agent.Markdown()
	for _, a := range agent.All() {
		if !strings.Contains(text, "`--agent "+a.Name+"`") || !strings.Contains(text, a.Source) {
			t.Errorf("%s or its source is missing", a.Name)
		}
	}
	for _, want := range []string{
		"| `AGENTS.override.md` | work, between, root | start |",
		"| else, in that folder: `AGENTS.md` | work, between, root | start |",
		"only if none of these is found: `AGENTS.md`",
		"`~/.claude/rules/**/*.md` (`CLAUDE_CONFIG_DIR` names another folder) | the user's | `paths`: touch; without: start | as in .gitignore, without case",
		"- Skills, listed at the start: `.agents/skills`, `.codex/skills` (work, root), `~/.agents/skills`, `~/.codex/skills` (the user's).",
		"not measured; from [its documents or source](https://cursor.com/docs/rules)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing: %s", want)
		}
	}
}

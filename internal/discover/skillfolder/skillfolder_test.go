package skillfolder_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

var skillPaths = settings.Paths{Home: "/home/u", Skills: "/home/u/.config/pertain/skills"}

func TestRoots(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	var got []string
	for _, r := range skillfolder.Roots(tree, skillPaths, "/work", true) {
		line := r.Source + " " + r.Dir
		if r.Enabled {
			line += " enabled"
		}
		got = append(got, line)
	}
	want := []string{
		"pertain /home/u/.config/pertain/skills enabled", "agents /home/u/.agents/skills enabled", "claude /home/u/.claude/skills",
		"codex /home/u/.codex/skills", "copilot /home/u/.copilot/skills", "cursor /home/u/.cursor/skills", "gemini /home/u/.gemini/skills",
		"everywhere /home/u/.everywhere/skills", "workspace /work/.pertain/skills", "workspace-claude /work/.claude/skills", "workspace-agents /work/.agents/skills",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	tree.WriteFile("/home/u/.claude/skills/x/SKILL.md", "---\nname: x\ndescription: d\n---\nx\n")
	home := skill.Library{Tree: tree, Roots: skillfolder.Roots(tree, skillPaths, "/home/u", false)}
	if r, err := home.Load(t.Context()); err != nil || len(r.Skills()) != 1 || r.Skills()[0].ID != "claude.x" {
		t.Errorf("a home that is a workspace: %v, %v", r.Skills(), err)
	}
	if roots := skillfolder.Roots(tree, settings.Paths{}, "", false); len(roots) != 0 {
		t.Errorf("without a home: %v", roots)
	}
}

func TestResolver(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	text := func(name string) string { return "---\nname: " + name + "\ndescription: D\n---\n" + name }
	for path, name := range map[string]string{
		"/home/u/.claude/skills/pdf/SKILL.md":        "pdf",
		"/home/u/.claude/skills/both/SKILL.md":       "both",
		"/home/u/.agents/skills/both/SKILL.md":       "both",
		"/work/.claude/skills/own/SKILL.md":          "own",
		"/work/.pertain/skills/own2/SKILL.md":        "own2",
		"/home/u/.claude/skills/pdf/references/x.md": "x",
	} {
		tree.WriteFile(path, text(name))
	}
	tree.MakeLink("/home/u/.claude/skills/pdf", "/work/.claude/skills/out")
	user, workspace := strategy.Origin{Provider: "user"}, strategy.Origin{Provider: "workspace", Confine: "/work"}
	for _, test := range []struct {
		target  string
		origin  strategy.Origin
		trusted bool
		want    string // name of the file, or a part of the problem
	}{
		{"skill://pdf", user, false, "/home/u/.claude/skills/pdf/SKILL.md"},
		{"skill://claude.pdf", user, false, "/home/u/.claude/skills/pdf/SKILL.md"},
		{"skill://claude.pdf/references/x.md", user, false, "/home/u/.claude/skills/pdf/references/x.md"},
		{"skill://both", user, false, "several skills"},
		{"skill://agents.both", user, false, "/home/u/.agents/skills/both/SKILL.md"},
		{"skill://nothing", user, false, "there is no skill"},
		{"skill://pdf/../both/SKILL.md", user, false, "not the address"},
		{"skill://own", user, false, "not trusted"},
		{"skill://own", user, true, "/work/.claude/skills/own/SKILL.md"},
		{"skill://own", workspace, false, "/work/.claude/skills/own/SKILL.md"},
		{"skill://workspace.own2", workspace, true, "/work/.pertain/skills/own2/SKILL.md"},
		{"skill://claude.pdf", workspace, true, "lies outside of the workspace"},
		{"skill://pdf", workspace, true, "lies outside of the workspace"},
		{"skill://workspace-claude.out", workspace, true, "lies outside of the workspace"},
	} {
		r := skillfolder.Resolver{Tree: tree, Roots: skillfolder.Roots(tree, skillPaths, "/work", test.trusted)}
		ref := strategy.Reference{Target: test.target, Kind: strategy.FromSkill}
		if !r.CanResolve(ref, nil, test.origin) {
			t.Fatal(test.target)
		}
		found, err := r.Resolve(t.Context(), ref, diag.NewSource("/x", ""), test.origin)
		got := found.Name
		if err != nil {
			got = err.Error()
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s from %s: want %s, got %s", test.target, test.origin.Provider, test.want, got)
		}
	}
	if r := (skillfolder.Resolver{}); r.CanResolve(strategy.Reference{Target: "./SKILL.md"}, nil, user) {
		t.Error("files are not skills")
	}
}

// TestFleet: without a revision there are none.
func TestFleet(t *testing.T) {
	now := ""
	roots := skillfolder.Fleet("/store", func(context.Context) string { return now })
	if got := roots(t.Context()); got != nil {
		t.Errorf("%v", got)
	}
	now = "/store/7"
	want := []skill.Root{{Source: "fleet", Dir: files.Native().Join("/store/7", "skills"), Enabled: true, Workspace: "/store", Trusted: true}}
	if diff := cmp.Diff(want, roots(t.Context())); diff != "" {
		t.Error(diff)
	}
}

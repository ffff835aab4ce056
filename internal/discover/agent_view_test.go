package discover_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// view loads what one agent loads.
func (w *world) view(t *testing.T, name string, roots discover.RuleRoots) *rule.Set {
	t.Helper()
	a, ok := agent.Lookup(name)
	if !ok {
		t.Fatalf("no agent %s", name)
	}
	root := w.flavor.ToSlash(discover.ProjectRoot(w.tree, roots.Dir))
	set, err := rule.Load(context.Background(), []rule.Provider{discover.AgentRules(w.tree, roots, a)}, rule.Options{
		Agent: name, Beside: !a.OneName, Root: root, FoldCase: w.flavor == files.Windows,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// seen are the files of a view, each with the moment at which it is loaded.
func seen(w *world, set *rule.Set) []string {
	out := []string{}
	for _, r := range set.Rules() {
		out = append(out, w.unix(r.Path)+" "+string(r.When))
	}
	return out
}

// TestViews: what each agent loads from a folder of a repository, as its requests
// showed it. Each file holds its own path; files of the same name stand above the
// repository, in it, between, in the working folder and below.
func TestViews(t *testing.T) {
	everywhere := []string{"/p/", "/p/w/", "/p/w/m/", "/p/w/m/k/", "/p/w/m/k/b/"}
	tests := []struct {
		agent, files string // names of files that are in all these folders
		want         string
	}{
		{"claude", "CLAUDE.md AGENTS.md", "/p/CLAUDE.md /p/w/CLAUDE.md /p/w/m/CLAUDE.md /p/w/m/k/CLAUDE.md /p/w/m/k/b/CLAUDE.md:touch"},
		{"claude", "AGENTS.md", "/p/AGENTS.md /p/w/AGENTS.md /p/w/m/AGENTS.md /p/w/m/k/AGENTS.md /p/w/m/k/b/AGENTS.md:touch"},
		{"claude", ".claude/rules/a.md GEMINI.md", "/p/.claude/rules/a.md /p/w/.claude/rules/a.md /p/w/m/.claude/rules/a.md /p/w/m/k/.claude/rules/a.md /p/w/m/k/b/.claude/rules/a.md:touch"},
		{"codex", "AGENTS.md CLAUDE.md", "/p/w/AGENTS.md /p/w/m/AGENTS.md /p/w/m/k/AGENTS.md"},
		{"codex", "AGENTS.md AGENTS.override.md", "/p/w/AGENTS.override.md /p/w/m/AGENTS.override.md /p/w/m/k/AGENTS.override.md"},
		{"gemini", "GEMINI.md AGENTS.md", "/p/w/GEMINI.md /p/w/m/GEMINI.md /p/w/m/k/GEMINI.md /p/w/m/k/b/GEMINI.md:touch"},
		{"qwen", "AGENTS.md QWEN.md", "/p/QWEN.md /p/w/QWEN.md /p/w/m/QWEN.md /p/w/m/k/QWEN.md /p/AGENTS.md /p/w/AGENTS.md /p/w/m/AGENTS.md /p/w/m/k/AGENTS.md"},
		{"qwen", ".qwen/rules/a.md", "/p/w/.qwen/rules/a.md"},
		{"opencode", "AGENTS.md CLAUDE.md", "/p/w/m/k/AGENTS.md /p/w/m/AGENTS.md /p/w/AGENTS.md /p/w/m/k/b/AGENTS.md:touch"},
		{"opencode", "CONTEXT.md", "/p/w/m/k/CONTEXT.md /p/w/m/CONTEXT.md /p/w/CONTEXT.md /p/w/m/k/b/CONTEXT.md:touch"},
		{"copilot", "AGENTS.md", "/p/w/AGENTS.md /p/w/m/AGENTS.md /p/w/m/k/AGENTS.md /p/w/m/k/b/AGENTS.md:touch"},
		{"copilot", ".github/instructions/a.instructions.md", "/p/w/.github/instructions/a.instructions.md /p/w/m/k/.github/instructions/a.instructions.md /p/w/m/k/b/.github/instructions/a.instructions.md:touch"},
		{"copilot", ".claude/CLAUDE.md", "/p/w/m/k/b/.claude/CLAUDE.md:touch"},
		{"copilot", ".github/Copilot-Instructions.md", "/p/w/.github/Copilot-Instructions.md /p/w/m/.github/Copilot-Instructions.md /p/w/m/k/.github/Copilot-Instructions.md /p/w/m/k/b/.github/Copilot-Instructions.md:touch"},
		{"copilot", "agents.md", "/p/w/agents.md /p/w/m/agents.md /p/w/m/k/agents.md /p/w/m/k/b/agents.md:touch"},
		{"pi", "AGENTS.md CLAUDE.md", "/p/AGENTS.md /p/w/AGENTS.md /p/w/m/AGENTS.md /p/w/m/k/AGENTS.md"},
		{"pi", "CLAUDE.md .pi/APPEND_SYSTEM.md", "/p/CLAUDE.md /p/w/CLAUDE.md /p/w/m/CLAUDE.md /p/w/m/k/CLAUDE.md /p/w/m/k/.pi/APPEND_SYSTEM.md"},
		{"omp", "AGENTS.md CLAUDE.md", "/p/AGENTS.md /p/w/AGENTS.md /p/w/m/AGENTS.md /p/w/m/k/AGENTS.md"},
		{"omp", ".omp/AGENTS.md .omp/RULES.md", "/p/w/m/k/.omp/AGENTS.md /p/w/m/k/.omp/RULES.md"},
		{"cline", "AGENTS.md .clinerules/a.md", "/p/w/m/k/.clinerules/a.md /p/w/m/k/AGENTS.md"},
		{"continue", "AGENTS.md CLAUDE.md .continue/rules/a.md", "/p/w/m/k/AGENTS.md /p/w/m/k/.continue/rules/a.md"},
		{"droid", "AGENTS.md", "/p/w/m/k/AGENTS.md /p/w/m/AGENTS.md /p/w/AGENTS.md /p/w/m/k/b/AGENTS.md:touch"},
		{"droid", "agents.md CLAUDE.md", "/p/w/m/k/agents.md /p/w/m/k/CLAUDE.md /p/w/m/agents.md /p/w/m/CLAUDE.md /p/w/agents.md /p/w/CLAUDE.md /p/w/m/k/b/agents.md:touch /p/w/m/k/b/CLAUDE.md:touch"},
		{"warp", "WARP.md AGENTS.md", "/p/w/WARP.md /p/w/m/k/WARP.md /p/w/m/k/b/WARP.md:touch"},
		{"zed", "AGENTS.md .rules", "/p/w/.rules"},
		{"junie", "AGENTS.md .junie/guidelines.md", "/p/w/AGENTS.md"},
		{"roo", ".roo/rules/a.xml .roorules AGENTS.md", "/p/w/m/k/AGENTS.md /p/w/m/k/.roo/rules/a.xml"},
		{"kilo", ".kilocode/rules/a.md .clinerules", "/p/w/.kilocode/rules/a.md"},
		{"kiro", ".kiro/steering/a.md AGENTS.md", "/p/w/.kiro/steering/a.md /p/w/AGENTS.md"},
		{"goose", ".goosehints AGENTS.md", "/p/w/AGENTS.md /p/w/.goosehints /p/w/m/AGENTS.md /p/w/m/.goosehints /p/w/m/k/AGENTS.md /p/w/m/k/.goosehints /p/w/m/k/b/AGENTS.md:touch /p/w/m/k/b/.goosehints:touch"},
		{"trae", ".trae/rules/a.md", "/p/w/.trae/rules/a.md"},
		{"crush", "CRUSH.md AGENTS.md", "/p/w/m/k/AGENTS.md /p/w/m/k/CRUSH.md"},
		{"amp", "AGENT.md CLAUDE.md", "/p/AGENT.md /p/w/AGENT.md /p/w/m/AGENT.md /p/w/m/k/AGENT.md /p/w/m/k/b/AGENT.md:touch"},
		{"augment", ".augment-guidelines", "/p/w/.augment-guidelines"},
		{"amazonq", ".amazonq/rules/a.md AmazonQ.md", "/p/w/m/k/AmazonQ.md /p/w/m/k/.amazonq/rules/a.md"},
		{"windsurf", ".windsurfrules", "/p/w/.windsurfrules /p/w/m/k/.windsurfrules"},
		{"cursor", ".cursorrules CLAUDE.md", "/p/w/.cursorrules /p/w/m/k/.cursorrules /p/w/CLAUDE.md"},
	}
	tested := map[string]bool{}
	for _, test := range tests {
		tested[test.agent] = true
		w := newWorld(files.Unix, map[string]string{"/p/w/.git/HEAD": ""})
		for _, dir := range everywhere {
			for _, name := range strings.Fields(test.files) {
				w.tree.WriteFile(dir+name, "Text of "+dir+name)
			}
		}
		roots := w.roots("/p/w/m/k")
		roots.Folders, roots.Notes = discover.FoldersTo(w.tree, "/p/w", []string{"/p/w/m/k/b/x.ts", "/p/w/other/x.ts"})
		want := []string{}
		for _, path := range strings.Fields(test.want) {
			path, when, _ := strings.Cut(path, ":")
			if when == "" {
				when = "start"
			}
			want = append(want, path+" "+when)
		}
		if diff := cmp.Diff(want, seen(w, w.view(t, test.agent, roots))); diff != "" {
			t.Errorf("%s with %s (-want +got):\n%s", test.agent, test.files, diff)
		}
	}
	for _, name := range agent.Names() {
		if !tested[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

// TestEveryRow: a file at each location of the table is loaded by its agent, and
// found by the view of all agents, of one provider and under one name.
func TestEveryRow(t *testing.T) {
	for _, a := range agent.All() {
		for _, g := range a.Groups {
			for _, kind := range g.Kinds {
				for _, p := range kind {
					if p.Reading == agent.Settings {
						continue
					}
					path := "/w/" + p.Path
					roots := newWorld(files.Unix, nil).roots("/w")
					switch {
					case p.Where&agent.Home != 0:
						path = "/home/u/" + p.Path
					case p.Where&agent.Config != 0:
						path = "/home/u/.config/" + p.Path
					case p.Where == agent.System:
						path = p.Path
					case p.Where == agent.Below:
						path = "/w/b/" + p.Path
						roots.Folders = []string{"/w/b"}
					}
					if p.IsFolder() {
						path += "/a" + p.Exts[0]
					}
					w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", path: "---\nalwaysApply: true\n---\nText."})
					got := w.view(t, a.Name, roots).Rules()
					if len(got) != 1 || got[0].Path != path || got[0].When == rule.NotAtAll {
						t.Errorf("%s does not load %s: %v", a.Name, path, names(got))
						continue
					}
					all := w.load(t, roots).Rules()
					if len(all) != 1 || all[0].Path != path || all[0].Provider != got[0].Provider || all[0].Name != got[0].Name {
						t.Errorf("%s: %s is %v, among all %v", a.Name, path, names(got), names(all))
						continue
					}
					if err := discover.Agents(t.Context(), w.tree, roots, all); err != nil || !slices.Contains(all[0].Agents, a.Name) || !slices.IsSorted(all[0].Agents) {
						t.Errorf("%s: agents of %s are %v, %v", a.Name, path, all[0].Agents, err)
					}
				}
			}
		}
	}
}

// TestWhen: when agents load rules by their fields.
func TestWhen(t *testing.T) {
	for _, test := range []struct{ agent, path, fields, want string }{
		{"claude", ".claude/rules/a.md", "paths: \"*.ts\"", "touch"},
		{"claude", ".claude/rules/a.md", "paths: []", "start"},
		{"claude", ".claude/rules/a.md", "paths:", "start"},
		{"claude", ".claude/rules/a.md", "paths: \"**\"", "start"},
		{"claude", ".claude/rules/a.md", "description: d", "start"},
		{"claude", ".claude/rules/a.md", "globs: x", "start"},
		{"claude", ".claude/rules/a.md", "paths: **/*.ts", "touch"},
		{"claude", ".claude/rules/a.md", "paths: \"**/*.py", "never"},
		{"copilot", ".claude/rules/a.md", "paths: x", "touch"},
		{"copilot", ".github/instructions/a.instructions.md", "applyTo: \"**/*.ts\"", "touch"},
		{"copilot", ".github/instructions/a.instructions.md", "applyTo: \"**\"", "start"},
		{"copilot", ".github/instructions/a.instructions.md", "applyTo:", "start"},
		{"copilot", ".github/instructions/a.instructions.md", "description: d", "start"},
		{"copilot", ".github/instructions/a.instructions.md", "excludeAgent: \"coding-agent\"", "never"},
		{"copilot", ".github/instructions/a.instructions.md", "excludeAgent: \"code-review\"", "start"},
		{"copilot", ".github/instructions/a.instructions.md", "applyTo: \"**/*.py", "never"},
		{"qwen", ".qwen/rules/a.md", "paths: x", "touch"},
		{"qwen", ".qwen/rules/a.md", "description: d", "start"},
		{"qwen", ".qwen/rules/a.md", "paths: \"**/*.py", "never"},
		{"cline", ".clinerules/a.md", "paths: [\"*.ts\"]", "start"},
		{"cline", ".clinerules/a.md", "paths: []", "start"},
		{"cline", ".clinerules/a.md", "alwaysApply: false", "start"},
		{"continue", ".continue/rules/a.md", "globs: x", "never"},
		{"continue", ".continue/rules/a.md", "regex: x", "never"},
		{"continue", ".continue/rules/a.md", "alwaysApply: false\ndescription: d", "never"},
		{"continue", ".continue/rules/a.md", "alwaysApply: true\nglobs: x", "start"},
		{"continue", ".continue/rules/a.md", "description: d", "start"},
		{"omp", ".omp/rules/a.md", "alwaysApply: true", "start"},
		{"omp", ".omp/rules/a.md", "description: d", "listed"},
		{"omp", ".omp/rules/a.md", "condition: foo", "trigger"},
		{"omp", ".omp/rules/a.md", "globs: x", "never"},
		{"omp", ".windsurf/rules/a.md", "trigger: always_on", "never"},
		{"omp", ".cursor/rules/a.mdc", "alwaysApply: true", "start"},
		{"omp", ".clinerules/a.md", "x: y", "never"},
		{"omp", ".github/instructions/a.instructions.md", "applyTo: \"**\"", "start"},
		{"omp", ".github/instructions/a.instructions.md", "applyTo: \"*.ts\"\ndescription: d", "listed"},
		{"cursor", ".cursor/rules/a.mdc", "alwaysApply: true", "start"},
		{"cursor", ".cursor/rules/a.mdc", "globs: x", "touch"},
		{"cursor", ".cursor/rules/a.mdc", "description: d", "listed"},
		{"cursor", ".cursor/rules/a.mdc", "alwaysApply: false", "never"},
		{"windsurf", ".windsurf/rules/a.md", "trigger: always_on", "start"},
		{"windsurf", ".windsurf/rules/a.md", "trigger: manual", "never"},
		{"kiro", ".kiro/steering/a.md", "inclusion: fileMatch\nfileMatchPattern: x", "touch"},
		{"augment", ".augment/rules/a.md", "type: agent_requested\ndescription: d", "listed"},
	} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/" + test.path: "---\n" + test.fields + "\n---\nText."})
		got := w.view(t, test.agent, w.roots("/w")).Rules()
		if len(got) != 1 || string(got[0].When) != test.want {
			t.Errorf("%s %s with %q: %v", test.agent, test.path, test.fields, seen(w, w.view(t, test.agent, w.roots("/w"))))
		}
		all := w.load(t, w.roots("/w")).All()
		if err := discover.Agents(t.Context(), w.tree, w.roots("/w"), all); err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if slices.Contains(r.Agents, test.agent) == (test.want == "never") {
				t.Errorf("%s %s with %q is loaded by %v", test.agent, test.path, test.fields, r.Agents)
			}
		}
	}
	plain := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.cursor/rules/a.md": "---\nalwaysApply: true\n---\nText."})
	if got := plain.view(t, "cursor", plain.roots("/w")).Rules(); len(got) > 0 {
		t.Errorf("Cursor ignores a plain .md, its documents say: %v", got[0].Path)
	}
	for _, name := range []string{"claude", "copilot", "qwen"} { // a blank line before it: text
		path := map[string]string{"claude": ".claude/rules/a.md", "copilot": ".github/instructions/a.instructions.md", "qwen": ".qwen/rules/a.md"}[name]
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/" + path: "\n---\npaths: x\napplyTo: x\n---\nText."})
		if got := w.view(t, name, w.roots("/w")).Rules(); len(got) != 1 || got[0].When != rule.AtStart || !strings.Contains(got[0].Content, "paths: x") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestSwitchedOff: rules whose names the agent's settings list are not used by it; the
// project's list stands instead of the user's, and other agents know nothing of it.
func TestSwitchedOff(t *testing.T) {
	text := map[string]string{
		"/w/.git/HEAD":                  "",
		"/w/AGENTS.md":                  "Memory.",
		"/w/.omp/rules/a.md":            "---\nalwaysApply: true\n---\nA.",
		"/w/.omp/rules/b.md":            "---\nalwaysApply: true\n---\nB.",
		"/w/.cursor/rules/c.mdc":        "---\nalwaysApply: true\n---\nC.",
		"/home/u/.omp/agent/config.yml": "theme: dark\nttsr:\n  disabledRules: [a, AGENTS, c]\n",
		"/home/u/.omp/agent/rules/u.md": "---\ncondition: foo\n---\nU.",
		"/w/.omp/settings.json":         "{}",
		"/w/.omp/rules/switched.mdc":    "---\nalwaysApply: true\n---\nS.",
	}
	used := func(agent string) string {
		w := newWorld(files.Unix, text)
		var out []string
		for _, r := range w.view(t, agent, w.roots("/w")).Rules() {
			out = append(out, r.Name)
		}
		return strings.Join(out, " ")
	}
	if got := used("omp"); got != "AGENTS b switched u" {
		t.Errorf("with the user's list: %s", got)
	}
	if got := used("cursor"); got != "c AGENTS" {
		t.Errorf("in another agent: %s", got)
	}
	text["/w/.omp/config.yml"] = "ttsr: {disabledRules: [switched]}"
	if got := used("omp"); got != "AGENTS a b u c" {
		t.Errorf("with the project's list: %s", got)
	}
	text["/w/.omp/config.yml"] = "ttsr: {disabledRules: [u, switched]}"
	if got := used("omp"); got != "AGENTS a b u c" {
		t.Errorf("the project switches the user's trigger off: %s", got)
	}
	for _, broken := range []string{"ttsr: [", "ttsr: {disabledRules: yes}", "- a", "\x00", "ttsr: {disabledRules: [b]}\n#" + strings.Repeat("x", document.MaxYAML)} {
		text["/w/.omp/config.yml"] = broken
		if got := used("omp"); got != "AGENTS b switched u" {
			t.Errorf("with %q: %s", broken, got)
		}
	}
	w := newWorld(files.Unix, text)
	set := w.view(t, "omp", w.roots("/w"))
	if !slices.Contains(codes(set.Warnings()), "rule.disabled") {
		t.Errorf("it is not told: %v", codes(set.Warnings()))
	}
	text["/w/.omp/config.yml"] = "ttsr: {disabledRules: [u]}"
	w = newWorld(files.Unix, text)
	roots := w.roots("/w")
	if set := w.view(t, "omp", roots); !slices.Contains(codes(set.Warnings()), "rule.disabled") {
		t.Errorf("it is not told that omp does not use the user's trigger: %v", codes(set.Warnings()))
	}
	roots.Trusted = true
	for _, r := range w.view(t, "omp", roots).Rules() {
		if r.Name == "u" {
			t.Error("the list of a project that is trusted does not count")
		}
	}
	text["/w/.omp/config.yml"] = "ttsr: {disabledRules: [v, t]}"
	text["/home/u/.omp/agent/rules/v.md"] = "---\nalwaysApply: true\n---\nV."
	text["/w/.omp/rules/t.md"] = "---\ncondition: foo\n---\nT."
	if got := used("omp"); got != "AGENTS a b switched u c" {
		t.Errorf("the project does not switch off what watches nothing of the user's, or what is its own: %s", got)
	}
	text["/w/.omp/config.yml"] = "ttsr: {disabledRules: [u]}"
	text["/home/u/.omp/agent/config.yml"] = "ttsr: {disabledRules: [u]}"
	w = newWorld(files.Unix, text)
	for _, r := range w.view(t, "omp", w.roots("/w")).Rules() {
		if r.Name == "u" {
			t.Error("what both lists have is used")
		}
	}
}

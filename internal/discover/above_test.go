package discover_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestAbove: what agents load from folders above the repository is the user's, if
// nobody else can write it.
func TestAbove(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/a/p/w/.git/HEAD": "", "/a/p/w/CLAUDE.md": "Project.",
		"/a/p/CLAUDE.md": "One up.", "/a/p/.claude/rules/x.md": "---\npaths: \"*.ts\"\n---\nRule.", "/a/p/QWEN.md": "Qwen.", "/a/p/.cursorrules": "Nobody looks.",
		"/a/CLAUDE.local.md": "Two up.", "/a/QWEN.md": "Too far.",
	})
	set := w.load(t, w.roots("/a/p/w"))
	var got []string
	for _, r := range set.Rules() {
		got = append(got, r.Path+" "+string(r.Level))
	}
	want := []string{"/a/p/CLAUDE.md user", "/a/p/w/CLAUDE.md project", "/a/p/.claude/rules/x.md user", "/a/CLAUDE.local.md user", "/a/p/QWEN.md user"}
	if diff := cmp.Diff(want, got); diff != "" || len(set.Warnings()) > 0 {
		t.Errorf("%s\n%v", diff, set.Warnings())
	}
	if v := set.For([]rule.File{{Path: "/a/p/w/src/a.ts"}}, false)[0]; !slices.ContainsFunc(v, func(v rule.Verdict) bool { return v.Rule.Path == "/a/p/.claude/rules/x.md" }) {
		t.Errorf("the rule above does not apply: %v", v)
	}
	w.tree.GiveAway("/a/p/CLAUDE.md")
	set = w.load(t, w.roots("/a/p/w"))
	if list := set.Warnings(); len(list) != 1 || list[0].Code != diag.RuleOutsideWorkspace || list[0].File() != "/a/p/CLAUDE.md" {
		t.Errorf("%v", list)
	}
	if documented := w.roots("/a/p/w"); true {
		documented.Documented = true
		if got := w.load(t, documented).All(); len(got) > 0 {
			t.Errorf("documented: %v", names(got))
		}
	}
}

// TestAboveStaysThere: an archive without a repository, or the repository around a
// submodule, brings no other file of this machine, and nobody stands behind it.
func TestAboveStaysThere(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/a/p/w/.git/HEAD": "", "/a/p/CLAUDE.md": "See @/home/u/.ssh/id_x and @/etc/hosts and @x.md", "/a/p/x.md": "Beside.",
		"/home/u/.ssh/id_x": "SECRET", "/etc/hosts": "HOSTS", "/home/u/Documents/d.md": "DOCUMENT",
	})
	w.tree.MakeLink("/home/u/.ssh/id_x", "/a/p/CLAUDE.local.md")
	w.tree.MakeLink("/home/u/Documents", "/a/p/.claude/rules")
	set := w.load(t, w.roots("/a/p/w"))
	for _, r := range set.All() {
		if text := r.Text(); strings.Contains(text, "SECRET") || strings.Contains(text, "HOSTS") || strings.Contains(text, "DOCUMENT") {
			t.Errorf("%s: %s", r.Path, text)
		}
		if set.Binding(r) {
			t.Errorf("%s binds", r.Path)
		}
	}
	if all := set.All(); len(all) != 1 || !strings.Contains(all[0].Text(), "Beside.") {
		t.Errorf("%v", names(all))
	}
}

// TestWorkingAtHome: where one works in the home, the user's rules stay the user's.
func TestWorkingAtHome(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/home/u/.claude/rules/a.md": "Mine.", "/home/u/.cursor/rules/b.mdc": "Mine too.", "/home/u/AGENTS.md": "Of the folder."})
	for _, r := range w.load(t, w.roots("/home/u")).All() {
		if want := r.Name != "AGENTS"; (r.Level == rule.User) != want {
			t.Errorf("%s is %s", r.Path, r.Level)
		}
	}
}

// TestFoldersOfTheEnvironment: variables that name other folders for the user's files.
func TestFoldersOfTheEnvironment(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/x/claude/CLAUDE.md": "C.", "/x/claude/rules/a.md": "A.", "/x/codex/AGENTS.md": "X.", "/x/copilot/copilot-instructions.md": "G.",
		"/home/u/.claude/CLAUDE.md": "Not this.", "/home/u/.codex/AGENTS.md": "Not this.",
	})
	roots := w.roots("/w")
	roots.Lookup = func(name string) (string, bool) {
		value, ok := map[string]string{"CLAUDE_CONFIG_DIR": "/x/claude", "CODEX_HOME": "/x/codex", "COPILOT_HOME": "/x/copilot"}[name]
		return value, ok
	}
	if got := names(w.load(t, roots).All()); !slices.Equal(got, []string{"claude:~/CLAUDE", "claude:a", "agents-md:~/AGENTS", "github:~/copilot-instructions"}) {
		t.Errorf("%v", got)
	}
	if got := seen(w, w.view(t, "codex", roots)); !slices.Equal(got, []string{"/x/codex/AGENTS.md start"}) {
		t.Errorf("%v", got)
	}
}

// TestOfOneAgent: what only one agent has.
func TestOfOneAgent(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/w/AGENTS.md": strings.Repeat("a", 30<<10), "/w/k/AGENTS.md": strings.Repeat("b", 5<<10), "/w/k/x/AGENTS.md": "Nothing is left for it.",
		"/home/u/.codex/AGENTS.md": strings.Repeat("c", 30<<10),
	})
	codex := w.view(t, "codex", w.roots("/w/k/x"))
	rules := codex.Rules()
	if len(rules) != 4 || len(rules[2].Content) != 2<<10 || rules[3].When != rule.NotAtAll {
		t.Errorf("Codex cuts: %v", names(rules))
	}
	var told []string
	for _, d := range codex.Warnings() {
		told = append(told, string(d.Code)+" "+d.File()+": "+d.Message)
	}
	if !slices.Equal(told, []string{
		"rule.too_large /w/k/AGENTS.md: Codex takes 32768 bytes of all such files, and cuts this one",
		"rule.too_large /w/k/x/AGENTS.md: Codex takes 32768 bytes of all such files, and leaves this one out",
	}) {
		t.Errorf("it is told: %q", told)
	}
	if v := codex.For([]rule.File{{Path: "/w/k/x/a.ts"}}, true)[0][3]; v.Applies || v.Why != rule.IsNever || !strings.Contains(v.Note, "take all the room") {
		t.Errorf("of the one that is left out: %v", v)
	}
	if prompt := codex.Prompt(rule.PromptOptions{}); strings.Contains(prompt, "Nothing is left") {
		t.Error("what is left out is in the prompt")
	}

	w = newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.windsurf/rules/a.md": "---\ntrigger: always_on\n---\n" + strings.Repeat("é", 16_000), "/w/AGENTS.md": strings.Repeat("a", 13_000)})
	windsurf := w.view(t, "windsurf", w.roots("/w"))
	for _, r := range windsurf.Rules() {
		if n := utf8.RuneCountInString(r.Content); n != 12_000 {
			t.Errorf("Windsurf takes %d characters of %s", n, r.Path)
		}
	}
	if got := codes(windsurf.Warnings()); len(got) != 2 {
		t.Errorf("Windsurf: %v", got)
	}

	w = newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/w/opencode.json": `{"instructions": ["docs/*.md", "./one.md", "https://example.com/x.md", "/etc/passwd"]}`,
		"/w/docs/a.md": "A.", "/w/docs/b.txt": "B.", "/w/one.md": "One.", "/w/k/opencode.jsonc": "{ // here\n\"instructions\": [\"near.md\",],\n}", "/w/k/near.md": "Near.",
	})
	if got := seen(w, w.view(t, "opencode", w.roots("/w/k"))); !slices.Equal(got, []string{"/w/k/near.md start", "/w/docs/a.md start", "/w/one.md start"}) {
		t.Errorf("OpenCode: %v", got)
	}
	if got := names(w.load(t, w.roots("/w/k")).All()); !slices.Equal(got, []string{"opencode:near", "opencode:docs/a", "opencode:one"}) {
		t.Errorf("all: %v", got)
	}

	w = newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/AGENTS.md": "See (@docs/a.md).", "/w/docs/a.md": "Imported.", "/w/.kiro/steering/k.md": "Read #[[file:docs/a.md]] first."})
	for name, want := range map[string]bool{"copilot": true, "codex": false, "omp": false} {
		rules := w.view(t, name, w.roots("/w")).Rules()
		if len(rules) != 1 || strings.Contains(rules[0].Content, "Imported.") != want {
			t.Errorf("%s: %v %q", name, names(rules), rules[0].Content)
		}
	}
	for _, r := range w.load(t, w.roots("/w")).Rules() {
		if want := r.Provider == "kiro"; strings.Contains(r.Content, "Imported.") != want {
			t.Errorf("%s: %q", r.Name, r.Content)
		}
	}

	w = newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.clinerules/x.md": "Markdown.", "/w/.clinerules/x.txt": "Text.", "/w/.clinerules/sub/y.md": "Y."})
	if got := seen(w, w.view(t, "cline", w.roots("/w"))); !slices.Equal(got, []string{"/w/.clinerules/x.txt start"}) {
		t.Errorf("Cline: %v", got)
	}

	w = newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.rules": "Zed.", "/w/rules.md": "Continue."})
	if got := names(w.load(t, w.roots("/w")).Rules()); len(got) != 2 {
		t.Errorf("names of two tools collide: %v", got)
	}
}

// TestFoldersTo: folders that are not there hold no rules, however many a path names.
func TestFoldersTo(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/a/b/x.go", "")
	tree.WriteFile("/w/c", "a file")
	got, _ := discover.FoldersTo(tree, "/w", []string{"/w/a/b/none/at/all/x.go", "/w/a/b/none/y.go", "/w/a/x.go", "/w/c/d/x.go", "/w/x.go", "/elsewhere/x.go"})
	if want := []string{"/w/a", "/w/a/b", "/w/c"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

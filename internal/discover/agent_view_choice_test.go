package discover_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestChoices: what an agent of the table may choose among its files, whether or not one of today's does. The project is /w, the working
// folder /w/m, and /w/m/b lies below it.
func TestChoices(t *testing.T) {
	at := func(path string, where agent.Where) agent.Location { return agent.Location{Path: path, Where: where} }
	nearest := func(path string, where agent.Where) agent.Location {
		return agent.Location{Path: path, Where: where, Nearest: true}
	}
	kinds := func(pick agent.Pick, locations ...agent.Location) agent.Agent {
		g := agent.Group{Pick: pick}
		for _, p := range locations {
			g.Kinds = append(g.Kinds, []agent.Location{p})
		}
		return agent.Agent{Name: "some", Title: "Some", Groups: []agent.Group{g}}
	}
	nearestFirst := func(a agent.Agent) agent.Agent {
		a.NearestFirst = true
		return a
	}
	const where = agent.Chain | agent.Below
	for _, test := range []struct {
		name        string
		agent       agent.Agent
		files, want string
	}{
		{"the first kind in a folder below, where none is above", kinds(agent.OneKind, at("A.md", where), at("B.md", where), at("C.md", where)), "/w/m/b/A.md /w/m/b/B.md", "/w/m/b/A.md"},
		{"the second kind in a folder below, where none is above", kinds(agent.OneKind, at("A.md", where), at("B.md", where), at("C.md", where)), "/w/m/b/B.md /w/m/b/C.md", "/w/m/b/B.md"},
		{"the last kind in a folder below, where none is above", kinds(agent.OneKind, at("A.md", where), at("B.md", where), at("C.md", where)), "/w/m/b/C.md", "/w/m/b/C.md"},
		{"a kind that is above, and those before it below", kinds(agent.OneKind, at("A.md", where), at("B.md", where), at("C.md", where)), "/w/B.md /w/m/C.md /w/m/b/A.md /w/m/b/B.md /w/m/b/C.md", "/w/B.md /w/m/b/A.md /w/m/b/B.md"},
		{"a kind where it is looked for", kinds(agent.OneKind, at("A.md", agent.Work), at("B.md", where)), "/w/A.md /w/B.md", "/w/B.md"},
		{"a kind of the user's", kinds(agent.OneKind, at("A.md", where), at("B.md", agent.Home), at("C.md", where)), "/w/C.md /home/u/B.md", "/home/u/B.md"},
		{"no kind of the user's by a path of the project", kinds(agent.OneKind, at("A.md", where), at("B.md", where)), "/w/B.md /home/u/A.md", "/w/B.md"},
		{"the project's kind before the user's", kinds(agent.OneKind, at("A.md", where), at("B.md", agent.Home)), "/w/A.md /home/u/B.md", "/w/A.md"},
		{"one of the user's", kinds(agent.OneAFolder, at("A.md", agent.Home), at("B.md", agent.Home)), "/home/u/A.md /home/u/B.md", "/home/u/A.md"},
		{"the second of the user's", kinds(agent.OneAFolder, at("A.md", agent.Home), at("B.md", agent.Home)), "/home/u/B.md", "/home/u/B.md"},
		{"all of the user's", kinds(agent.Every, at("A.md", agent.Home), at("B.md", agent.Home)), "/home/u/A.md /home/u/B.md", "/home/u/A.md /home/u/B.md"},
		{"all of a folder", kinds(agent.Every, at("A.md", where), at("B.md", where)), "/w/A.md /w/B.md /w/m/b/B.md", "/w/A.md /w/B.md /w/m/b/B.md"},
		{"one in each folder", kinds(agent.OneAFolder, at("A.md", where), at("B.md", where)), "/w/A.md /w/B.md /w/m/B.md /w/m/b/A.md /w/m/b/B.md", "/w/A.md /w/m/B.md /w/m/b/A.md"},
		{"the user's before the project's", kinds(agent.Every, at("A.md", agent.Home|where)), "/w/A.md /w/m/A.md /home/u/A.md", "/home/u/A.md /w/A.md /w/m/A.md"},
		{"the user's after the project's", nearestFirst(kinds(agent.Every, at("A.md", agent.Home|where))), "/w/A.md /w/m/A.md /home/u/A.md", "/w/m/A.md /w/A.md /home/u/A.md"},
		{"the nearest alone", kinds(agent.Every, nearest("A.md", agent.Chain)), "/w/A.md /w/m/A.md", "/w/m/A.md"},
		{"the nearest alone, which comes first", nearestFirst(kinds(agent.Every, nearest("A.md", agent.Chain))), "/w/A.md /w/m/A.md", "/w/m/A.md"},
		{"the nearest of those that are looked in", kinds(agent.Every, nearest("A.md", agent.Root)), "/w/A.md /w/m/A.md", "/w/A.md"},
		{"the nearest that is there", kinds(agent.Every, nearest("A.md", agent.Chain)), "/w/A.md", "/w/A.md"},
	} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/m/x": ""})
		for _, path := range strings.Fields(test.files) {
			w.tree.WriteFile(path, "Text of "+path)
		}
		roots := w.roots("/w/m")
		roots.Folders = []string{"/w/m/b"}
		rules, _, err := discover.AgentRules(w.tree, roots, &test.agent).Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rules {
			got = append(got, r.Path)
		}
		if have := strings.Join(got, " "); have != test.want {
			t.Errorf("%s: %s, want %s", test.name, have, test.want)
		}
	}
}

// TestBareFolders: how far up an agent goes where there is no repository.
func TestBareFolders(t *testing.T) {
	for _, test := range []struct {
		bare      agent.Reach
		where     agent.Where
		home, dir string
		want      string
	}{
		{agent.WorkOnly, agent.Above | agent.Chain, "/a/u", "/a/u/x/y", "/a/u/x/y"},
		{agent.ToTop, agent.Above | agent.Chain, "/a/u", "/a/u/x/y", "/ /a /a/u /a/u/x /a/u/x/y"},
		{agent.ToTop, agent.Above | agent.Work, "/a/u", "/a/u/x/y", "/ /a /a/u /a/u/x /a/u/x/y"},
		{agent.ToTop, agent.OneAbove | agent.Work, "/a/u", "/a/u/x/y", "/ /a /a/u /a/u/x /a/u/x/y"},
		{agent.ToTop, agent.Between | agent.Work, "/a/u", "/a/u/x/y", "/ /a /a/u /a/u/x /a/u/x/y"},
		{agent.ToTop, agent.Below | agent.Work, "/a/u", "/a/u/x/y", "/a/u/x/y"},
		{agent.ToHome, agent.Above | agent.Work, "/a/u", "/a/u/x/y", "/a/u /a/u/x /a/u/x/y"},
		{agent.ToHome, agent.Above | agent.Work, "/a/v", "/a/u/x/y", "/a/u/x/y"},
		{agent.ToHome, agent.Above | agent.Work, "", "/a/u/x/y", "/a/u/x/y"},
	} {
		w := newWorld(files.Unix, nil)
		for _, dir := range []string{"/", "/a/", "/a/u/", "/a/u/x/", "/a/u/x/y/"} {
			w.tree.WriteFile(dir+"CLAUDE.md", "Text of "+dir)
		}
		roots := w.roots(test.dir)
		roots.Home = test.home
		a := agent.Agent{Name: "some", Title: "Some", Bare: test.bare, Groups: []agent.Group{{Kinds: [][]agent.Location{{{Path: "CLAUDE.md", Where: test.where}}}}}}
		rules, _, err := discover.AgentRules(w.tree, roots, &a).Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rules {
			got = append(got, files.Unix.Dir(r.Path))
		}
		if have := strings.Join(got, " "); have != test.want {
			t.Errorf("up to %d, in %b, home %q: %s, want %s", test.bare, test.where, test.home, have, test.want)
		}
	}
}

// TestLimitsOfAgents: what counts towards the limit of an agent, and what is left of a file that is over it.
func TestLimitsOfAgents(t *testing.T) {
	home := agent.Location{Path: "HOME.md", Where: agent.Home}
	first, second := agent.Location{Path: "A.md", Where: agent.Work}, agent.Location{Path: "B.md", Where: agent.Work}
	rules := agent.Location{Path: ".omp/rules", Exts: []string{".md"}, Where: agent.Work, Reading: agent.Omp}
	own := agent.Location{Path: ".windsurf/rules", Exts: []string{".md"}, Where: agent.Work, Reading: agent.Own}
	for _, test := range []struct {
		name      string
		limit     agent.Limit
		locations []agent.Location
		files     map[string]string
		want      string
		told      int
	}{
		{"no limit", agent.Limit{}, []agent.Location{first}, map[string]string{"/w/A.md": "123456"}, "123456", 0},
		{"the user's own count as characters", agent.Limit{Characters: 8}, []agent.Location{home, first}, map[string]string{"/home/u/HOME.md": "123456", "/w/A.md": "abcdef"}, "123456|ab", 1},
		{"the user's own do not count as bytes", agent.Limit{Bytes: 8}, []agent.Location{home, first}, map[string]string{"/home/u/HOME.md": "123456", "/w/A.md": "abcdef"}, "123456|abcdef", 0},
		{"what is listed does not count", agent.Limit{Characters: 8}, []agent.Location{rules, first}, map[string]string{"/w/.omp/rules/r.md": "---\ndescription: d\n---\n123456", "/w/A.md": "abcdef"}, "123456|abcdef", 0},
		{"what is never loaded does not count", agent.Limit{Characters: 8}, []agent.Location{rules, first}, map[string]string{"/w/.omp/rules/r.md": "---\nglobs: x\n---\n123456", "/w/A.md": "abcdef"}, "123456|abcdef", 0},
		{"what is listed is not cut", agent.Limit{Characters: 8, OfEach: true}, []agent.Location{rules}, map[string]string{"/w/.omp/rules/r.md": "---\ndescription: d\n---\n123456789"}, "123456789", 0},
		{"characters are no bytes", agent.Limit{Characters: 3}, []agent.Location{first, second}, map[string]string{"/w/A.md": "éé", "/w/B.md": "éé"}, "éé|é", 1},
		{"bytes are no characters", agent.Limit{Bytes: 3}, []agent.Location{first}, map[string]string{"/w/A.md": "éé"}, "é", 1},
		{"one character", agent.Limit{Characters: 1}, []agent.Location{first}, map[string]string{"/w/A.md": "éa"}, "é", 1},
		{"one character that fits", agent.Limit{Characters: 1}, []agent.Location{first}, map[string]string{"/w/A.md": "é"}, "é", 0},
		{"one byte", agent.Limit{Bytes: 1}, []agent.Location{home, first}, map[string]string{"/home/u/HOME.md": "12", "/w/A.md": "ab"}, "12|a", 1},
		{"of each", agent.Limit{Characters: 3, OfEach: true}, []agent.Location{first, second}, map[string]string{"/w/A.md": "abcd", "/w/B.md": "abc"}, "abc|abc", 1},
		{"of each, as the tool has it", agent.Limit{Characters: 12_000, OfEach: true}, []agent.Location{own}, map[string]string{"/w/.windsurf/rules/r.md": "---\ntrigger: always_on\n---\n" + strings.Repeat("x", 12_001)}, strings.Repeat("x", 12_000), 1},
		{"of all, where the tool has one of each", agent.Limit{Characters: 3}, []agent.Location{own}, map[string]string{"/w/.windsurf/rules/r.md": "---\ntrigger: always_on\n---\nabcd"}, "abc", 1},
	} {
		w := newWorld(files.Unix, test.files)
		a := agent.Agent{Name: "some", Title: "Some", Limit: test.limit, Groups: []agent.Group{{Kinds: [][]agent.Location{test.locations}}}}
		list, notes, err := discover.AgentRules(w.tree, w.roots("/w"), &a).Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		told := 0
		for _, r := range list {
			got = append(got, r.Content)
			told += r.Remarks.Count(diag.Warning)
		}
		if have := strings.Join(got, "|"); have != test.want || told+notes.Count(diag.Warning) != test.told {
			t.Errorf("%s: %.100s, told %v", test.name, have, notes)
		}
	}
}

// TestImportsOfAgents: what an import means to an agent, in a memory file and in a rule.
func TestImportsOfAgents(t *testing.T) {
	for _, test := range []struct {
		name                 string
		imports              agent.Imports
		memory, rule, square bool // is followed: in a memory file, in a rule, Kiro's in a rule
	}{
		{"none", agent.Imports{}, false, false, false},
		{"one level", agent.Imports{Levels: 1}, true, true, false},
		{"of memory files", agent.Imports{Levels: 1, Memory: true}, true, false, false},
		{"Kiro's", agent.Imports{Kiro: true}, false, false, true},
	} {
		w := newWorld(files.Unix, map[string]string{
			"/w/.git/HEAD": "", "/w/CLAUDE.md": "@x.md", "/w/AGENTS.md": "#[[file:x.md]]", "/w/.claude/rules/a.md": "@../../x.md", "/w/.claude/rules/b.md": "#[[file:x.md]]", "/w/x.md": "Imported.",
		})
		a := agent.Agent{Name: "some", Title: "Some", Imports: test.imports, Groups: []agent.Group{{Kinds: [][]agent.Location{{
			{Path: "CLAUDE.md", Where: agent.Work}, {Path: "AGENTS.md", Where: agent.Work}, {Path: ".claude/rules", Exts: []string{".md"}, Where: agent.Work},
		}}}}}
		rules, _, err := discover.AgentRules(w.tree, w.roots("/w"), &a).Rules(t.Context())
		if err != nil || len(rules) != 4 {
			t.Fatalf("%s: %v %v", test.name, names(rules), err)
		}
		for i, want := range []bool{test.memory, false, test.rule, test.square} {
			if got := strings.Contains(rules[i].Content, "Imported."); got != want {
				t.Errorf("%s: %s: %q", test.name, rules[i].Path, rules[i].Content)
			}
		}
	}
}

// TestNobodysHome: where there is no home, nothing is the user's own: not what has the name of a user's file in the folder that the process
// runs in.
func TestNobodysHome(t *testing.T) {
	stray, dir := t.TempDir(), t.TempDir()
	written := map[string]bool{}
	for _, a := range agent.All() {
		for _, g := range a.Groups {
			for _, kind := range g.Kinds {
				for _, p := range kind {
					path := filepath.Join(stray, filepath.FromSlash(p.Path))
					if p.IsFolder() {
						path = filepath.Join(path, "a"+p.Exts[0])
					}
					if p.Where&(agent.Home|agent.Config) == 0 || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
						continue
					}
					if err := os.WriteFile(path, []byte("STRAY"), 0o600); err == nil {
						written[path] = true
					}
				}
			}
		}
	}
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(stray, ".omp", "agent", "config.yml"), "ttsr: {disabledRules: [a]}")
	write(filepath.Join(stray, ".clinerules", "a.md"), "STRAY")
	write(filepath.Join(dir, ".git", "HEAD"), "")
	write(filepath.Join(dir, ".omp", "rules", "a.md"), "---\nalwaysApply: true\n---\nA.")
	t.Chdir(stray)
	roots, documented := discover.RuleRoots{Dir: dir}, discover.RuleRoots{Dir: dir, Documented: true}
	providers := append(discover.Rules(files.OS(), roots), discover.Rules(files.OS(), documented)...)
	for _, a := range agent.All() {
		providers = append(providers, discover.AgentRules(files.OS(), roots, &a))
	}
	for _, p := range providers {
		rules, _, err := p.Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			if strings.Contains(r.Content, "STRAY") || r.Disabled || !filepath.IsAbs(r.Path) {
				t.Errorf("%s: %s is a rule, disabled: %v", p.ID(), r.Path, r.Disabled)
			}
		}
	}
	if len(written) < 20 {
		t.Errorf("%d files could be written", len(written))
	}
}

// TestGivenUp: who stops waiting gets the reason, not the rules that were read until then.
func TestGivenUp(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/AGENTS.md": "x"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := discover.Agents(ctx, w.tree, w.roots("/w"), []*rule.Rule{{Path: "/w/AGENTS.md"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("agents: %v", err)
	}
	for _, a := range agent.All() {
		if rules, list, err := discover.AgentRules(w.tree, w.roots("/w"), &a).Rules(ctx); !errors.Is(err, context.Canceled) || len(rules)+len(list) > 0 {
			t.Errorf("%s: %s", a.Name, fmt.Sprint(rules, list, err))
		}
	}
	if _, _, err := discover.FolderRules(ctx, w.tree, w.roots("/w"), "/w"); !errors.Is(err, context.Canceled) {
		t.Errorf("a folder: %v", err)
	}
	if _, _, _, err := discover.NamedRules(ctx, w.tree, w.roots("/w"), []string{"/w/AGENTS.md"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a file: %v", err)
	}
}

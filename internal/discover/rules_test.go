package discover_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/treetest"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// world is a tree in memory with a project at /w and a home at /home/u, or the
// same on drive C:.
type world struct {
	tree   *files.Memory
	flavor files.Flavor
}

func newWorld(flavor files.Flavor, texts map[string]string) *world {
	w := &world{files.NewMemory(flavor), flavor}
	w.tree.MakeFolder(w.path("/w"))
	w.tree.MakeFolder(w.path("/home/u"))
	for path, text := range texts {
		w.tree.WriteFile(w.path(path), text)
	}
	return w
}

func (w *world) path(p string) string { return treetest.Path(w.flavor, p) }

// unix is the inverse of path.
func (w *world) unix(p string) string {
	return strings.TrimPrefix(w.flavor.ToSlash(p), "C:")
}

func (w *world) roots(dir string) discover.RuleRoots {
	return discover.RuleRoots{Dir: w.path(dir), Home: w.path("/home/u"), ConfigHome: w.path("/home/u/.config")}
}

func (w *world) load(t *testing.T, roots discover.RuleRoots) *rule.Set {
	t.Helper()
	root := w.flavor.ToSlash(discover.ProjectRoot(w.tree, roots.Dir))
	set, err := rule.Load(context.Background(), discover.Rules(w.tree, roots), rule.Options{
		Documented: roots.Documented, Root: root, FoldCase: w.flavor == files.Windows,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// bothFlavors runs a test on a Unix and on a Windows tree.
func bothFlavors(t *testing.T, test func(t *testing.T, flavor files.Flavor)) {
	t.Run("unix", func(t *testing.T) { test(t, files.Unix) })
	t.Run("windows", func(t *testing.T) { test(t, files.Windows) })
}

// names lists the rules as provider:name, hidden ones in brackets.
func names(rules []*rule.Rule) []string {
	var out []string
	for _, r := range rules {
		name := r.Provider + ":" + r.Name
		if r.Shadowed {
			name = "(" + name + ")"
		}
		out = append(out, name)
	}
	return out
}

// codes lists the warnings as `code line:column`.
func codes(list diag.List) []string {
	var out []string
	for _, d := range list {
		text := string(d.Code)
		if pos, ok := d.Position(); ok {
			data, _ := json.Marshal([]int{pos.Line, pos.Column})
			text += " " + string(data)
		}
		out = append(out, text)
	}
	return out
}

func only(t *testing.T, set *rule.Set) *rule.Rule {
	t.Helper()
	if len(set.All()) != 1 {
		t.Fatalf("rules = %v, want one", names(set.All()))
	}
	return set.All()[0]
}

func TestOrderOfTheRulebook(t *testing.T) {
	described := func(text string) string { return "---\ndescription: d\n---\n" + text + "\n" }
	texts := map[string]string{
		"/w/.git/HEAD":                                       "",
		"/w/.omp/rules/b.md":                                 described("native project b"),
		"/w/.omp/rules/a.mdc":                                described("native project a"),
		"/w/.omp/rules/a.md":                                 described("native project a.md"),
		"/home/u/.omp/agent/rules/b.md":                      described("native user b"),
		"/home/u/.omp/agent/rules/u.md":                      described("native user u"),
		"/w/.cursor/rules/c.mdc":                             described("cursor project c"),
		"/home/u/.cursor/rules/c.mdc":                        described("cursor user c"),
		"/home/u/.codeium/windsurf/memories/global_rules.md": described("windsurf user"),
		"/w/.windsurf/rules/c.md":                            described("windsurf c"),
		"/w/.windsurf/rules/w.md":                            described("windsurf w"),
		"/w/.windsurf/rules/ignored.mdc":                     described("not read"),
		"/w/.clinerules/w.md":                                described("cline w"),
		"/w/.clinerules/z.md":                                described("cline z"),
		"/w/.omp/rules/notes.txt":                            described("not read"),
		"/w/.omp/rules/.hidden.md":                           described("not read"),
	}
	want := []string{
		"native:a", "(native:a)", "native:b", "(native:b)", "native:u",
		"cursor:c", "(cursor:c)",
		"windsurf:global_rules", "(windsurf:c)", "windsurf:w",
		"(cline:w)", "cline:z",
	}
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		w := newWorld(flavor, texts)
		for _, documented := range []bool{false, true} {
			roots := w.roots("/w")
			roots.Documented = documented
			set := w.load(t, roots)
			if diff := cmp.Diff(want, names(set.All())); diff != "" {
				t.Errorf("documented %v (-want +got):\n%s", documented, diff)
			}
			c, err := set.Open("rule://c")
			if err != nil || c.Content != "cursor user c" || c.Level != rule.User {
				t.Errorf("documented %v: c = %+v, %v", documented, c, err)
			}
			hidden := set.All()[1]
			if hidden.ShadowedBy == nil || w.unix(hidden.ShadowedBy.Path) != "/w/.omp/rules/a.md" {
				t.Errorf("documented %v: a.mdc is hidden by %v", documented, hidden.ShadowedBy)
			}
			if n := len(set.Warnings()); n != 5 {
				t.Errorf("documented %v: %d warnings, want 5: %v", documented, n, codes(set.Warnings()))
			}
		}
	})
}

// TestOnlyWhatIsDocumented holds the rulebook's gaps open with --documented.
func TestOnlyWhatIsDocumented(t *testing.T) {
	always := "---\nalwaysApply: true\n---\nText.\n"
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD":                      "",
		"/w/.cursorrules":                   "Legacy.",
		"/w/.windsurfrules":                 "Legacy.",
		"/w/AGENTS.md":                      "Agents.",
		"/w/CLAUDE.md":                      "Claude.",
		"/w/.cursor/rules/parent.mdc":       always,
		"/w/sub/.cursor/rules/here.mdc":     always,
		"/w/sub/.cursor/rules/in/below.mdc": always,
		"/w/.clinerules/up.md":              "Found upward.",
		"/w/.clinerules/up.txt":             "Not Markdown.",
		"/w/sub/.devin/rules/d.md":          always,
	})
	roots := w.roots("/w/sub")
	roots.Documented = true
	set := w.load(t, roots)
	if diff := cmp.Diff([]string{"cursor:here", "cline:up"}, names(set.All())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, r := range set.All() {
		if r.Bucket != rule.None {
			t.Errorf("%s: bucket %s, want none", r.Name, r.Bucket)
		}
	}
	if got := set.Prompt(rule.PromptOptions{}); got != "" {
		t.Errorf("prompt = %q, want nothing", got)
	}
	if _, err := set.Open("rule://here"); err == nil {
		t.Error("rule://here can be read, though it is no rulebook rule")
	}

	set = w.load(t, w.roots("/w/sub"))
	want := []string{
		"cursor:here", "cursor:in/below", "cursor:parent", "cursor:cursorrules",
		"windsurf:d", "windsurf:windsurfrules",
		"cline:up", "(cline:up)",
		"claude:CLAUDE", "agents-md:AGENTS",
	}
	if diff := cmp.Diff(want, names(set.All())); diff != "" {
		t.Errorf("default (-want +got):\n%s", diff)
	}
}

func TestClineIsSearchedAboveTheProject(t *testing.T) {
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		w := newWorld(flavor, map[string]string{
			"/w/.clinerules":       "---\ndescription: one file\n---\nText.",
			"/w/project/.git/HEAD": "",
			"/w/project/a/x":       "",
		})
		for _, documented := range []bool{false, true} {
			roots := w.roots("/w/project/a")
			roots.Documented = documented
			r := only(t, w.load(t, roots))
			if r.Name != "clinerules" || r.Provider != "cline" || w.unix(r.Base) != "/w" || r.Bucket != rule.Rulebook {
				t.Errorf("documented %v: %s of %s, base %s, %s", documented, r.Name, r.Provider, r.Base, r.Bucket)
			}
		}
	})
}

// wireOf is the JSON form of a rule's fields, in one line.
func wireOf(t *testing.T, r *rule.Rule) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	kept := map[string]any{}
	for short, key := range map[string]string{"d": "description", "g": "globs", "a": "alwaysApply", "t": "ttsrTrigger", "b": "bucket"} {
		if all[key] != nil {
			kept[short] = all[key]
		}
	}
	data, _ = json.Marshal(kept)
	return string(data)
}

// TestNormalization reads one frontmatter by each of the rulebook's providers
// (docs/reference/rules.md), as documented and by default.
func TestNormalization(t *testing.T) {
	roots := []struct{ provider, path string }{
		{"native", "/w/.omp/rules/x.md"},
		{"cursor", "/w/.cursor/rules/x.mdc"},
		{"windsurf", "/w/.windsurf/rules/x.md"},
		{"cline", "/w/.clinerules/x.md"},
	}
	type want map[string]string // by provider; "" for all others
	tests := []struct {
		name, frontmatter    string
		documented, ordinary want
	}{
		{
			"plain", "description: d\nglobs: [a, b]\nalwaysApply: false",
			want{"": `{"a":false,"b":"rulebook","d":"d","g":["a","b"]}`, "cursor": `{"b":"rulebook","d":"d","g":["a","b"]}`},
			want{"": `{"a":false,"b":"rulebook","d":"d","g":["a","b"]}`, "cursor": `{"b":"rulebook","d":"d","g":["a","b"]}`},
		},
		{
			"always", "description: d\nalwaysApply: true",
			want{"": `{"a":true,"b":"none","d":"d"}`},
			want{"": `{"a":true,"b":"always","d":"d"}`},
		},
		{
			"trigger beats all", "description: d\nalwaysApply: true\nttsr_trigger: foo",
			want{"": `{"a":true,"b":"ttsr","d":"d","t":"foo"}`},
			want{"": `{"a":true,"b":"ttsr","d":"d","t":"foo"}`},
		},
		{
			"globs in one string", "description: d\nglobs: \"a, {b,c}\"",
			want{"": `{"b":"rulebook","d":"d","g":["a, {b,c}"]}`},
			want{"": `{"b":"rulebook","d":"d","g":["a","{b,c}"]}`},
		},
		{
			"globs that are no strings", "description: d\nglobs: [a, 5]",
			want{"": `{"b":"rulebook","d":"d","g":["a"]}`, "native": `{"b":"rulebook","d":"d","g":["a",5]}`},
			want{"": `{"b":"rulebook","d":"d","g":["a"]}`},
		},
		{
			"quoted flag", "description: d\nalwaysApply: \"true\"",
			want{"": `{"b":"rulebook","d":"d"}`, "native": `{"a":"true","b":"none","d":"d"}`, "windsurf": `{"a":"true","b":"none","d":"d"}`},
			want{"": `{"a":true,"b":"always","d":"d"}`},
		},
		{
			"fallback", "description: d\nglobs: *.ts\nalwaysApply: true",
			want{"": `{"b":"rulebook","d":"d","g":["*.ts"]}`, "native": `{"a":"true","b":"none","d":"d","g":["*.ts"]}`, "windsurf": `{"a":"true","b":"none","d":"d","g":["*.ts"]}`},
			want{"": `{"a":true,"b":"always","d":"d","g":["*.ts"]}`},
		},
		{
			"fallback keeps the trigger", "globs: *.ts\nttsr_trigger: foo\nthinking-level: high",
			want{"": `{"b":"ttsr","g":["*.ts"],"t":"foo"}`},
			want{"": `{"b":"ttsr","g":["*.ts"],"t":"foo"}`},
		},
		{
			"numbers", "description: 5\nttsr_trigger: 7",
			want{"": `{"b":"none"}`, "native": `{"b":"ttsr","d":5,"t":7}`, "windsurf": `{"b":"rulebook","d":5}`},
			want{"": `{"b":"rulebook","d":"5"}`},
		},
		{
			"empty values", "description: \"\"\nglobs: \"\"\nttsr_trigger: \"\"",
			want{"": `{"b":"none","d":"","g":[""],"t":""}`},
			want{"": `{"b":"none"}`, "cline": `{"b":"always"}`},
		},
		{
			"null and empty list", "description: null\nglobs: []",
			want{"": `{"b":"none","g":[]}`},
			want{"": `{"b":"none"}`, "cline": `{"b":"always"}`},
		},
		{
			"invalid trigger", "description: d\nttsr_trigger: \"(\"",
			want{"": `{"b":"ttsr","d":"d","t":"("}`},
			want{"": `{"b":"rulebook","d":"d"}`},
		},
		{
			"newer name of the trigger", "description: d\ncondition: [foo, bar]",
			want{"": `{"b":"rulebook","d":"d"}`},
			want{"": `{"b":"ttsr","d":"d","t":"foo"}`},
		},
		{
			"inline flags", "ttsr_trigger: \"(?i)foo\"",
			want{"": `{"b":"ttsr","t":"(?i)foo"}`},
			want{"": `{"b":"ttsr","t":"(?i)foo"}`},
		},
	}
	for _, test := range tests {
		for _, location := range roots {
			for _, documented := range []bool{true, false} {
				w := newWorld(files.Unix, map[string]string{location.path: "---\n" + test.frontmatter + "\n---\nBody.\n"})
				at := w.roots("/w")
				at.Documented = documented
				expected := test.ordinary
				if documented {
					expected = test.documented
				}
				text, ok := expected[location.provider]
				if !ok {
					text = expected[""]
				}
				if got := wireOf(t, only(t, w.load(t, at))); got != text {
					t.Errorf("%s, %s, documented %v:\n got %s\nwant %s", test.name, location.provider, documented, got, text)
				}
			}
		}
	}
}

package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestDialects: each tool's globs mean what they mean to the tool. Files that a rule applies to are told apart from those that it does not.
func TestDialects(t *testing.T) {
	for _, tt := range []struct{ path, fields, applies, not string }{
		{"/w/.github/instructions/a.instructions.md", "applyTo: '!**/*.ts'", "a.js", "a.ts"},
		{"/w/.github/instructions/a.instructions.md", "applyTo: ['*.ts,*.js']", "src/a.ts src/a.js", "a.go"},
		{"/w/.github/instructions/a.instructions.md", "applyTo: '/src/*.ts'", "", "src/a.ts lib/src/a.ts"},
		{"/w/.qwen/rules/a.md", "paths: ['!(*.ts)']", "a.js", "a.ts"},
		{"/w/.qwen/rules/a.md", "paths: ['!*.ts']", "a.js", "a.ts"},
		{"/w/.cursor/rules/a.mdc", "globs: '*.ts'", "a.ts", "src/a.ts a.js"},
		{"/w/.claude/rules/a.md", "paths: 'src/**'", "src/a.ts lib/src/a.ts", "a.ts"},
		{"/home/u/.claude/rules/a.md", "paths: 'src/**'", "sub/src/a.ts", "src/a.ts"},
		{"/home/u/.omp/agent/rules/a.md", "globs: 'src/**'", "src/a.ts", "sub/lib/a.ts"},
		{"/w/.clinerules/a.md", "paths: ['src/**']", "src/a.ts", "a.ts"},
		{"/w/.kiro/steering/a.md", "inclusion: fileMatch\nfileMatchPattern: 'src/**'", "src/a.ts", "a.ts"},
		{"/w/.windsurf/rules/a.md", "trigger: glob\nglobs: '*.ts'", "a.ts", "a.js"},
		{"/w/.continue/rules/a.md", "globs: '**/*.ts'", "a.ts src/a.ts", "a.js"},
		{"/w/.trae/rules/a.md", "alwaysApply: false\nglobs: '*.ts'", "a.ts", "a.js"},
	} {
		w := newWorld(files.Unix, map[string]string{tt.path: "---\n" + tt.fields + "\n---\nT", "/w/.git/HEAD": "", "/w/sub/x": ""})
		set := w.load(t, w.roots("/w/sub"))
		if len(set.All()) != 1 {
			t.Errorf("%s: %v", tt.path, names(set.All()))
			continue
		}
		for words, want := range map[string]bool{tt.applies: true, tt.not: false} {
			for _, name := range strings.Fields(words) {
				if v := set.For([]rule.File{{Path: "/w/" + name}}, true)[0][0]; v.Applies != want {
					t.Errorf("%s with %q, %s: %v (%s)", tt.path, tt.fields, name, v.Applies, v.Why)
				}
			}
		}
	}
}

// TestDialectsOfAgents: a glob means to an agent what it means to that agent, also in a file that another tool's documents describe.
func TestDialectsOfAgents(t *testing.T) {
	for _, tt := range []struct{ agent, path, fields, applies, not string }{
		{"claude", "/w/.claude/rules/a.md", "paths: ['*.ts']", "a.ts src/a.ts A.TS", "a.js"},
		{"claude", "/w/.claude/rules/a.md", "paths: ['a.ts,b.ts']", "a.ts b.ts", "c.ts"},
		{"claude", "/w/.claude/rules/a.md", "paths: ['!(b).ts']", "", "a.ts b.ts"},
		{"copilot", "/w/.claude/rules/a.md", "paths: ['*.ts']", "a.ts src/a.ts", "a.js"},
		{"copilot", "/w/.claude/rules/a.md", "paths: ['a.ts,b.ts']", "", "a.ts b.ts"},
		{"copilot", "/w/.claude/rules/a.md", "paths: ['src/*.ts']", "src/a.ts", "lib/src/a.ts"},
		{"copilot", "/w/.github/instructions/a.instructions.md", "applyTo: ['a.ts,b.ts']", "a.ts b.ts", "c.ts"},
		{"qwen", "/w/.qwen/rules/a.md", "paths: ['*.ts']", "a.ts", "src/a.ts A.TS"},
		{"qwen", "/w/.qwen/rules/a.md", "paths: ['!(b).ts']", "a.ts", "b.ts"},
		{"qwen", "/w/.qwen/rules/a.md", "paths: ['a.ts,b.ts']", "", "a.ts b.ts"},
		{"qwen", "/w/.qwen/rules/a.md", "paths: ['/a.ts']", "", "a.ts"},
	} {
		w := newWorld(files.Unix, map[string]string{tt.path: "---\n" + tt.fields + "\n---\nT", "/w/.git/HEAD": ""})
		set := w.view(t, tt.agent, w.roots("/w"))
		if len(set.All()) != 1 {
			t.Errorf("%s %s: %v", tt.agent, tt.path, names(set.All()))
			continue
		}
		for words, want := range map[string]bool{tt.applies: true, tt.not: false} {
			for _, name := range strings.Fields(words) {
				if v := set.For([]rule.File{{Path: "/w/" + name}}, true)[0][0]; v.Applies != want {
					t.Errorf("%s %s with %q, %s: %v (%s)", tt.agent, tt.path, tt.fields, name, v.Applies, v.Why)
				}
			}
		}
	}
}

// TestFilesThatAreTextAlone: some tools read no frontmatter in some of their files; what looks like it is text.
func TestFilesThatAreTextAlone(t *testing.T) {
	const text = "---\ndescription: d\n---\nT"
	for path, whole := range map[string]bool{
		"/w/.goosehints": true, "/home/u/.config/goose/.goosehints": true, "/w/.github/copilot-instructions.md": true, "/w/.cursorrules": true,
		"/w/.windsurfrules": true, "/w/.roorules": true, "/w/.rules": true, "/w/.voidrules": true, "/w/replit.md": true, "/w/WARP.md": true,
		"/w/.cursor/rules/a.mdc": false, "/w/.omp/rules/a.md": false, "/w/.claude/rules/a.md": false, "/w/.trae/rules/a.md": false,
	} {
		w := newWorld(files.Unix, map[string]string{path: text, "/w/.git/HEAD": ""})
		if r := only(t, w.load(t, w.roots("/w"))); (r.Content == text) != whole {
			t.Errorf("%s: %q", path, r.Content)
		}
	}
}

// TestFleetRules: rules of a fleet are the user's, and nothing leads out of their folder.
func TestFleetRules(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/fleet/rules/a.md": "T", "/fleet/rules/sub/b.mdc": "T", "/fleet/other.md": "T", "/secret.md": "S"})
	w.tree.MakeLink("/secret.md", "/fleet/rules/out.md")
	roots := w.roots("/w")
	if all := w.load(t, roots).All(); len(all) > 0 {
		t.Errorf("without a fleet: %v", names(all))
	}
	roots.Fleet = "/fleet"
	set := w.load(t, roots)
	if got := strings.Join(names(set.All()), " "); got != "fleet:a fleet:sub/b" {
		t.Error(got)
	}
	for _, r := range set.All() {
		if r.Level != rule.User || r.Content != "T" {
			t.Errorf("%s is at %s: %q", r.Name, r.Level, r.Content)
		}
	}
	roots.Fleet = "/w"
	if all := w.load(t, roots).All(); len(all) > 0 {
		t.Errorf("a fleet without rules: %v", names(all))
	}
}

// TestContestedByCursor: what Cursor's documents leave open is told of the rules that it concerns.
func TestContestedByCursor(t *testing.T) {
	const list, always, plain = "one comma-separated string", "probably not looked at", "a plain `.md`"
	for _, test := range []struct{ path, fields, want string }{
		{"a.mdc", "globs: '*.ts'", ""},
		{"a.mdc", "globs: ['*.ts']", list},
		{"a.mdc", "globs: ['*.ts']\nalwaysApply: true", always},
		{"a.mdc", "globs: '*.ts'\nalwaysApply: true", always},
		{"a.mdc", "alwaysApply: true", ""},
		{"a.mdc", "globs: '*.ts'\nalwaysApply: false", ""},
		{"a.md", "globs: '*.ts'", plain},
		{"a.MD", "globs: ['*.ts']", list + " " + plain},
	} {
		w := newWorld(files.Unix, map[string]string{"/w/.cursor/rules/" + test.path: "---\n" + test.fields + "\n---\nT"})
		note := w.load(t, w.roots("/w")).For([]rule.File{{Path: "/w/a.ts"}}, true)[0][0].Note
		for _, part := range []string{list, always, plain} {
			if strings.Contains(note, part) != strings.Contains(test.want, part) {
				t.Errorf("%s with %q: %s", test.path, test.fields, note)
			}
		}
	}
}

// TestContested: where a tool decides by more than globs, the answer about a file says so.
func TestContested(t *testing.T) {
	for fields, want := range map[string]bool{"globs: '*.ts'\nregex: foo": true, "globs: '*.ts'": false} {
		w := newWorld(files.Unix, map[string]string{"/w/.continue/rules/a.md": "---\n" + fields + "\n---\nT"})
		v := w.load(t, w.roots("/w")).For([]rule.File{{Path: "/w/a.ts"}}, true)[0][0]
		if strings.Contains(v.Note, "its `regex` looks at the text of files") != want {
			t.Errorf("%q: %+v", fields, v)
		}
	}
}

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

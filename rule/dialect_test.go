package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/rule"
)

// The dialects of three agents, as their requests showed them.
var (
	claudePaths    = &rule.Format{Tool: "Claude Code", GlobKeys: []string{"paths"}, Gitignore: true, SplitItems: true}
	copilotApplyTo = &rule.Format{Tool: "Copilot", GlobKeys: []string{"applyTo"}, BaseName: true, Alone: true, Unrooted: true, SplitItems: true}
	qwenPaths      = &rule.Format{Tool: "Qwen Code", GlobKeys: []string{"paths"}, Extglobs: true, Alone: true, Unrooted: true, OnePattern: true}
)

// TestDialects: which of src/a.ts, packages/pay/src/a.ts and src/b.py a glob means
// to each agent.
func TestDialects(t *testing.T) {
	files := []string{"src/a.ts", "packages/pay/src/a.ts", "src/b.py"}
	for _, c := range []struct{ globs, claude, copilot, qwen string }{ // 1, 2 and 3 are the files
		{`"*.ts"`, "12", "12", ""},
		{`"a.ts"`, "12", "12", ""},
		{`"*.{ts,tsx}"`, "12", "12", ""},
		{`"**/*.ts"`, "12", "12", "12"},
		{`"**/*.{ts,tsx}"`, "12", "12", "12"},
		{`"**/*.[tj]s"`, "12", "12", "12"},
		{`"**/src/**"`, "123", "123", "123"},
		{`"src/**"`, "123", "13", "13"},
		{`"pay/**"`, "2", "", ""},
		{`"src"`, "123", "", ""},
		{`"src/"`, "123", "", ""},
		{`"src/*.ts"`, "1", "1", "1"},
		{`"src/**/*.ts"`, "1", "1", "1"},
		{`"packages/*/src/*.ts"`, "2", "2", "2"},
		{`"/src/**"`, "13", "", ""},
		{`"./src/**"`, "", "13", "13"},
		{`"./**/*.ts"`, "", "12", "12"},
		{`"**/*.TS"`, "12", "", ""},
		{`"!**/*.py"`, "", "12", "12"},
		{`"**/*.@(ts|js)"`, "", "", "12"},
		{`"+(src)/**"`, "", "", "13"},
		{`["*.ts,*.py"]`, "123", "123", ""},
		{`"**/*.tsx, **/*.ts"`, "12", "12", ""},
		{`["**/*.ts", "!src/**"]`, "12", "12", "12"},
		{`"*.{ts}"`, "12", "", ""},
		{`"**/*"`, "123", "123", "123"},
		{`"**"`, "123", "123", "123"},
		{`["**/*.ts", "!a.ts"]`, "", "123", "123"},
	} {
		for _, d := range []struct {
			format *rule.Format
			want   string
		}{{claudePaths, c.claude}, {copilotApplyTo, c.copilot}, {qwenPaths, c.qwen}} {
			s := set(read(t, d.format, "x", d.format.GlobKeys[0]+": "+c.globs, "Body."))
			got := ""
			for i, file := range files {
				all := s.For([]rule.File{{Path: "/w/" + file}}, true)[0][0]
				if all.Applies {
					got += string(rune('1' + i))
				} else if all.Note == "" {
					t.Errorf("%s %s %s: no note", d.format.Tool, c.globs, file)
				}
			}
			if got != d.want {
				t.Errorf("%s %s: %q, want %q", d.format.Tool, c.globs, got, d.want)
			}
		}
	}
}

// TestNeverNotes: a glob that can match nothing says why.
func TestNeverNotes(t *testing.T) {
	for _, c := range []struct {
		format *rule.Format
		glob   string
		want   string
	}{
		{claudePaths, "./src/**", "begins with `./` matches nothing"},
		{claudePaths, "#src", "is a comment"},
		{copilotApplyTo, "/src/**", "begins with `/` matches nothing"},
	} {
		s := set(read(t, c.format, "x", c.format.GlobKeys[0]+`: "`+c.glob+`"`, "Body."))
		if v := s.For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0][0]; v.Why != rule.NoGlobMatch || !strings.Contains(v.Note, c.want) {
			t.Errorf("%s: %s %s", c.glob, v.Why, v.Note)
		}
	}
}

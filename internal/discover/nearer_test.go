package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestNearer: which of two native rules of one name holds for a file does not depend on the folder in which one asks.
func TestNearer(t *testing.T) {
	for _, path := range []string{".omp/rules/style.md", ".pertain/rules/style.md"} {
		for _, fields := range []string{"alwaysApply: true", "globs: \"*.ts\""} {
			w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/packages/pay/a.ts": "", "/w/b.ts": ""})
			for _, dir := range []string{"/w/", "/w/packages/pay/"} {
				w.tree.WriteFile(dir+path, "---\n"+fields+"\n---\nText of "+dir)
			}
			pay, top := rule.File{Path: "/w/packages/pay/a.ts"}, rule.File{Path: "/w/b.ts"}
			for _, dir := range []string{"/w", "/w/packages/pay"} {
				roots := w.roots(dir)
				if dir == "/w" {
					roots.Folders = []string{"/w/packages", "/w/packages/pay"}
				}
				set := w.load(t, roots)
				var applies []string
				for _, v := range set.For([]rule.File{pay}, false)[0] {
					applies = append(applies, v.Rule.Path)
				}
				if strings.Join(applies, " ") != "/w/packages/pay/"+path {
					t.Errorf("%s, %s, from %s: %v", path, fields, dir, applies)
				}
				if prompt := set.Prompt(rule.PromptOptions{Files: []rule.File{pay}}); strings.Contains(prompt, "Text of /w/<") || !strings.Contains(prompt, "Text of /w/packages/pay/<") {
					t.Errorf("%s, %s, from %s:\n%s", path, fields, dir, prompt)
				}
				for _, v := range set.For([]rule.File{pay}, true)[0] {
					if !v.Applies && (v.Why != rule.IsShadowed || !strings.Contains(v.Note, "packages/pay/")) {
						t.Errorf("%s, %s, from %s: %s, %s", path, fields, dir, v.Why, v.Note)
					}
				}
				if dir != "/w" {
					continue
				}
				if got := set.For([]rule.File{top}, false)[0]; len(got) != 1 || got[0].Rule.Path != "/w/"+path {
					t.Errorf("%s, %s: %v", path, fields, got)
				}
				if prompt := set.Prompt(rule.PromptOptions{Files: []rule.File{pay, top}}); strings.Count(prompt, "Text of ") != 2 {
					t.Errorf("%s, %s, both files:\n%s", path, fields, prompt)
				}
				table, ok := rule.UnpackTable(set.Table(func(*rule.Rule) bool { return true }).Pack())
				if !ok {
					t.Fatal("the table cannot be read")
				}
				for _, i := range table.For(pay) {
					if table.Rule(i).Path != "/w/packages/pay/"+path {
						t.Errorf("%s, %s: the table has %s", path, fields, table.Rule(i).Path)
					}
				}
			}
		}
	}
}

package rule_test

import (
	"os"
	"testing"
	"time"
	"fmt"

	"github.com/pertain-dev/pertain/rule"
)

func FuzzProbe(f *testing.F) {
	for _, seed := range []string{
		"---\nglobs: *.ts\n---\nBody", "---\ndescription: a: b\n---# T", 
		"---\nglobs: [*.ts, {a,b}/**]\n---\n---\nalwaysApply: \"true\"\n---\nx", "---\nttsr_trigger: \"(\"\ncondition: [a, 1, [b]]\n---\nx",
		"---\nglobs:\n  - **/*\nexamples: {match: [a], no_match: b}\nscope: [text]\n...\nx", "---\n\"globs\": '*\n---\nx", "---\nglobs: *.a,\n  *.b # c\n---\nx",
	} {
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, documented bool) {
		done := make(chan string, 1)
		stage := "start"
		go func() {
			select {
			case <-done:
			case <-time.After(3 * time.Second):
				os.WriteFile("/tmp/fix4/slow.txt", []byte(fmt.Sprintf("%s %v %q", stage, documented, text)), 0o644)
			}
		}()
		for _, format := range []*rule.Format{native, other} {
			stage = "decode"
			source, _ := rule.Decode("/w/x.md", []byte(text))
			stage = "read"
			r, found := rule.Read(source, rule.Origin{Name: "x", Base: "/w", Level: rule.Project, Documented: documented}, format)
			if r == nil {
				continue
			}
			stage = "check"
			rule.Check(r)
			s := rule.NewSet([]*rule.Rule{r}, found, rule.Options{Root: "/w", Documented: documented})
			stage = "prompt"
			s.Prompt(rule.PromptOptions{Files: []rule.File{{Path: "/w/a.ts"}}})
			stage = "for"
			s.For([]rule.File{{Path: "/w/src/a.ts"}}, true)
		}
		done <- ""
	})
}

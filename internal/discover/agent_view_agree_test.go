package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// TestViewAgrees: what the list says about when an agent loads a rule, the answer for a file and the prompt say, too. A trigger is
// no field of most agents: they load the rule by its other fields, and Pertain watches it all the same.
func TestViewAgrees(t *testing.T) {
	for _, test := range []struct {
		agent, path, fields string
		when                rule.When
		bucket              rule.Bucket
		why                 rule.Why
		prompt, watched     bool
	}{
		{"claude", ".claude/rules/a.md", "condition: baz", rule.AtStart, rule.Always, rule.ByAlways, true, true},
		{"claude", ".claude/rules/a.md", "condition: baz\npaths: \"*.ts\"", rule.OnTouch, rule.None, rule.ByGlob, true, true},
		{"claude", ".claude/rules/a.md", "condition: baz\npaths: \"*.go\"", rule.OnTouch, rule.None, rule.NoGlobMatch, false, true},
		{"copilot", ".github/instructions/a.instructions.md", "ttsr_trigger: baz", rule.AtStart, rule.Always, rule.ByAlways, true, true},
		{"copilot", ".claude/rules/a.md", "condition: baz", rule.AtStart, rule.Always, rule.ByAlways, true, true},
		{"qwen", ".qwen/rules/a.md", "condition: baz", rule.AtStart, rule.Always, rule.ByAlways, true, true},
		{"cline", ".clinerules/a.md", "condition: baz", rule.AtStart, rule.Always, rule.ByAlways, true, false},
		{"continue", ".continue/rules/a.md", "condition: baz", rule.AtStart, rule.Always, rule.ByAlways, true, true},
		{"continue", ".continue/rules/a.md", "condition: baz\nglobs: \"**\"", rule.NotAtAll, rule.None, rule.IsNever, false, false},
		{"cursor", ".cursor/rules/a.mdc", "condition: baz\nglobs: \"**/*.ts\"", rule.OnTouch, rule.None, rule.ByGlob, true, true},
		{"cursor", ".cursor/rules/a.mdc", "condition: baz\ndescription: d", rule.IsListed, rule.Rulebook, rule.ByDescription, true, true},
		{"omp", ".omp/rules/a.md", "condition: baz", rule.OnTrigger, rule.TTSR, rule.ByTrigger, false, true},
		{"omp", ".github/instructions/a.instructions.md", "name: x", rule.IsListed, rule.Rulebook, rule.ByDescription, true, false},
		{"omp", ".github/instructions/a.instructions.md", "applyTo: \"**/*.ts\"", rule.IsListed, rule.Rulebook, rule.ByDescription, true, false},
		{"omp", ".github/instructions/a.instructions.md", "applyTo: \"**\"", rule.AtStart, rule.Always, rule.ByAlways, true, false},
	} {
		w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/" + test.path: "---\n" + test.fields + "\n---\nText."})
		set := w.view(t, test.agent, w.roots("/w"))
		if len(set.Rules()) != 1 {
			t.Fatalf("%s %q: %v", test.agent, test.fields, names(set.Rules()))
		}
		r := set.Rules()[0]
		verdict := set.For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0][0]
		prompt := strings.Contains(set.Prompt(rule.PromptOptions{Files: []rule.File{{Path: "/w/src/a.ts"}}}), `<rule name="a">`)
		watched := len(stream.FromRules(set.Rules(), "/w")) == 1
		if r.When != test.when || r.Bucket != test.bucket || verdict.Why != test.why || prompt != test.prompt || watched != test.watched {
			t.Errorf("%s %s with %q: %s, %s, %s, in the prompt: %t, watched: %t", test.agent, test.path, test.fields, r.When, r.Bucket, verdict.Why, prompt, watched)
		}
	}
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.claude/rules/a.md": "---\ncondition: baz\n---\nText."})
	if r := w.load(t, w.roots("/w")).Rules()[0]; r.Bucket != rule.TTSR {
		t.Errorf("for all agents together a trigger decides, not %s", r.Bucket)
	}
}

package rule_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

func TestInterruptMode(t *testing.T) {
	for _, c := range []struct{ line, want, hint string }{
		{"interruptMode: never", "never", ""},
		{"interrupt-mode: prose-only", "prose-only", ""},
		{"interrupt_mode: toolOnly", "tool-only", ""},
		{"interruptMode: Prose_Only", "prose-only", ""},
		{"interruptMode: ALWAYS", "always", ""},
		{"interruptMode:", "", ""},
		{"interruptMode: ''", "", ""},
		{"interruptMode: nevr", "", "did you mean `never`?"},
		{"interruptMode: 3", "", "write one of always, prose-only, tool-only, never"},
		{"interruptMode: [never]", "", "write one of always, prose-only, tool-only, never"},
		{"interruptMod: never", "", "did you mean `interruptMode`?"},
	} {
		r, list := rule.Read(diag.NewSource("/w/a.md", "---\nttsr_trigger: foo\n"+c.line+"\n---\nBody"), rule.Origin{Name: "a"}, native)
		hint := ""
		if len(list) > 0 {
			hint = list[0].Hint
		}
		if r.InterruptMode != c.want || hint != c.hint || len(list) > 1 {
			t.Errorf("%s: %q, %v", c.line, r.InterruptMode, list)
		}
	}
}

// TestDisabled: a rule that is switched off is found and is nothing else: it is in no
// bucket, applies to no file, cannot be read, and hides no rule of its name.
func TestDisabled(t *testing.T) {
	read := func(path, fields string) *rule.Rule {
		r, list := rule.Read(diag.NewSource(path, "---\n"+fields+"\n---\nBody of "+path), rule.Origin{Name: strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md"), Base: "/w"}, native)
		for _, d := range list {
			if d.Code != diag.RuleDisabled || d.Severity != diag.Info {
				t.Errorf("%s: %v", path, d)
			}
		}
		if len(list) > 0 != r.Disabled {
			t.Errorf("%s: disabled %v, told %v", path, r.Disabled, list)
		}
		return r
	}
	rules := []*rule.Rule{
		read("/w/a.md", "enabled: false\nttsr_trigger: foo"),
		read("/w/b.md", "enabled: false\nalwaysApply: true"),
		read("/w/c.md", "enabled: false\nglobs: '*.ts'\ndescription: D"),
		read("/w/d.md", "enabled: true\ndescription: D"),
		read("/u/a.md", "description: D"),
	}
	s := rule.NewSet(rules, nil, rule.Options{})
	var names []string
	for _, r := range s.Rules() {
		names = append(names, r.Path)
	}
	if !slices.Equal(names, []string{"/w/d.md", "/u/a.md"}) || len(s.All()) != 5 || len(s.Warnings()) > 0 {
		t.Errorf("in force are %q of %d; told is %v", names, len(s.All()), s.Warnings())
	}
	for _, bucket := range []rule.Bucket{rule.TTSR, rule.Always, rule.None} {
		if n := len(s.Bucket(bucket)); n > 0 {
			t.Errorf("%d are in the bucket %s", n, bucket)
		}
	}
	if r, err := s.Open("rule://a"); err != nil || r.Path != "/u/a.md" {
		t.Errorf("rule://a is %v, %v", r, err)
	}
	var unknown *rule.UnknownError
	if _, err := s.Open("b"); !errors.As(err, &unknown) || !unknown.Disabled || !strings.Contains(err.Error(), "switched off") {
		t.Errorf("b: %v", err)
	}
	if _, err := s.Open("bb"); !errors.As(err, &unknown) || unknown.Disabled {
		t.Errorf("bb: %v", err)
	}
	for _, v := range s.For([]rule.File{{Path: "/w/x.ts"}}, true)[0] {
		if off := v.Rule.Disabled; off != (v.Why == rule.IsNever) || off && (v.Applies || v.Note != "`enabled: false` switches it off") {
			t.Errorf("%s: %+v", v.Rule.Path, v)
		}
	}
	if text := s.Prompt(rule.PromptOptions{Files: []rule.File{{Path: "/w/x.ts"}}}); strings.Contains(text, "Body of /w") {
		t.Errorf("the prompt is %s", text)
	}
	if text, _ := json.Marshal(rules[0]); !strings.Contains(string(text), `"enabled":false`) {
		t.Errorf("the JSON is %s", text)
	}
	if text, _ := json.Marshal(rules[3]); strings.Contains(string(text), "enabled") {
		t.Errorf("the JSON is %s", text)
	}
}

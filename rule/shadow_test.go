package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestOwnTriggersStand: which rule of a name is in force, for every kind of rule
// that may stand before a trigger of the user's own.
func TestOwnTriggersStand(t *testing.T) {
	format := &rule.Format{Tool: "x"}
	trigger := func(text string) []string { return []string{text} }
	for _, c := range []struct {
		name    string
		first   rule.Rule
		options rule.Options
		want    string // path of the rule in force
	}{
		{"stranger without a trigger", rule.Rule{Level: rule.Project, Bucket: rule.Always}, rule.Options{}, "/home/r.md"},
		{"stranger with a trigger", rule.Rule{Level: rule.Project, Bucket: rule.TTSR, Triggers: trigger("a")}, rule.Options{}, "/home/r.md"},
		{"stranger that is switched off", rule.Rule{Level: rule.Project, Bucket: rule.TTSR, Triggers: trigger("a"), Activation: rule.Never}, rule.Options{Trusted: []string{"/w"}}, "/home/r.md"},
		{"trusted with a trigger", rule.Rule{Level: rule.Project, Bucket: rule.TTSR, Triggers: trigger("a")}, rule.Options{Trusted: []string{"/w"}}, "/w/r.md"},
		{"trusted without a trigger", rule.Rule{Level: rule.Project, Bucket: rule.Rulebook}, rule.Options{Trusted: []string{"/w"}}, "/home/r.md"},
		{"a link out of what is trusted", rule.Rule{Level: rule.Project, Bucket: rule.TTSR, Triggers: trigger("a"), Real: "/elsewhere/r.md"}, rule.Options{Trusted: []string{"/w"}}, "/home/r.md"},
		{"beside what is trusted", rule.Rule{Level: rule.Project, Bucket: rule.TTSR, Triggers: trigger("a")}, rule.Options{Trusted: []string{"/w/sub", "", "/w/r"}}, "/home/r.md"},
		{"the user's other trigger", rule.Rule{Level: rule.User, Bucket: rule.TTSR, Triggers: trigger("a")}, rule.Options{}, "/w/r.md"},
		{"the user's other rule", rule.Rule{Level: rule.User, Bucket: rule.Always}, rule.Options{}, "/home/r.md"},
		{"documented", rule.Rule{Level: rule.Project, Bucket: rule.Always}, rule.Options{Documented: true}, "/w/r.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := c.first
			first.Name, first.Path, first.Content, first.Format, first.Source = "r", "/w/r.md", "theirs", format, diag.NewSource("/w/r.md", "")
			own := &rule.Rule{
				Name: "r", Path: "/home/r.md", Content: "mine", Format: format, Source: diag.NewSource("/home/r.md", ""),
				Level: rule.User, Bucket: rule.TTSR, Triggers: trigger("b"),
			}
			s := rule.NewSet([]*rule.Rule{&first, own}, nil, c.options)
			if len(s.Rules()) != 1 || s.Rules()[0].Path != c.want {
				t.Fatalf("in force: %v", s.Rules())
			}
			got := s.Rules()[0]
			if opened, err := s.Open("r"); !c.options.Documented && (err != nil || opened != got) {
				t.Errorf("rule:// gives %v, %v", opened, err)
			}
			for _, r := range s.All() {
				if r.Shadowed != (r != got) || r.Shadowed && r.ShadowedBy != got {
					t.Errorf("%s: shadowed %v", r.Path, r.Shadowed)
				}
			}
			if first.Activation == rule.Never { // nothing would have brought it to a model
				if len(s.Warnings()) > 0 {
					t.Errorf("warnings: %v", s.Warnings())
				}
				return
			}
			if w := s.Warnings(); len(w) != 1 || w[0].Code != diag.RuleShadowed || strings.Contains(w[0].Message, "does not hide") != (got == own) {
				t.Errorf("warnings: %v", w)
			}
		})
	}
}

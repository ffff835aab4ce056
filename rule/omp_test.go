package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestOmpFields: what oh-my-pi takes beside the fields of the rulebook.
func TestOmpFields(t *testing.T) {
	for _, test := range []struct{ fields, trigger, scope, bucket, codes string }{
		{"ttsrTrigger: foo", "foo", "", "ttsr", ""},
		{"ttsr-trigger: foo", "foo", "", "ttsr", ""},
		{"always-apply: true", "", "", "always", ""},
		{"condition: \"*.rs\"", ".*", "tool:edit(*.rs) tool:write(*.rs)", "ttsr", ""},
		{"condition: [\"**/*.rs\", unwrap]", "unwrap", "tool:edit(**/*.rs) tool:write(**/*.rs)", "ttsr", ""},
		{"condition: \"*x\"", "", "", "none", "rule.invalid_trigger"},
		{"condition: foo\nscope: bash", "foo", "tool:bash", "ttsr", ""},
		{"astCondition: foo($A)", "", "", "none", "rule.unsupported_field"},
		{"description: [one, two]", "", "", "rulebook", "rule.invalid_field"},
	} {
		r, list := rule.Read(diag.NewSource("/w/a.md", "---\n"+test.fields+"\n---\nBody."), rule.Origin{Provider: "native", Name: "a", Level: rule.Project, Base: "/w"}, native)
		trigger := ""
		if r.Trigger != nil {
			trigger = *r.Trigger
		}
		var codes []string
		for _, d := range list {
			codes = append(codes, string(d.Code))
		}
		if trigger != test.trigger || strings.Join(r.Scope, " ") != test.scope || string(r.Bucket) != test.bucket || strings.Join(codes, " ") != test.codes {
			t.Errorf("%q: trigger %q, scope %q, bucket %s, %v", test.fields, trigger, r.Scope, r.Bucket, list)
		}
	}
}

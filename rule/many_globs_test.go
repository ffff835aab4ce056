package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestManyOddGlobs: of globs that something is to be said of, as many are told as anybody is shown: to find each costs as much
// as the list is long, and a file of a stranger may hold any number.
func TestManyOddGlobs(t *testing.T) {
	format := &rule.Format{Tool: "Cursor", GlobKeys: []string{"globs"}}
	for name, form := range map[string]string{"quotes of a word processor": "“*.t%d”", "no pair": "'*.t%d", "not a glob": "[a%d"} {
		globs := make([]string, 300)
		for i := range globs {
			globs[i] = fmt.Sprintf(form, i)
		}
		source := diag.NewSource("/w/.cursor/rules/a.mdc", "---\nglobs: \""+strings.Join(globs, ",")+"\"\n---\nx\n")
		r, list := rule.Read(source, rule.Origin{Name: "a", Base: "/w"}, format)
		told := 0
		for _, d := range list {
			if d.Code == diag.RuleInvalidField && strings.Contains(d.Message, "glob") {
				told++
			}
		}
		if told != diag.MaxPerFile || len(r.Globs) != len(globs) {
			t.Errorf("%s: %d are told, %d globs are read", name, told, len(r.Globs))
		}
	}
}

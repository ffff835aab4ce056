package export

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

func source(text string) *diag.Source { return diag.NewSource("/w/x.md", text) }

// nativeFormat is that of the reader of native rules.
func nativeFormat(t *testing.T) *rule.Format {
	t.Helper()
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/.pertain/rules/x.md", "x")
	rules, _, err := discover.Rules(tree, discover.RuleRoots{Dir: "/w"})[0].Rules(t.Context())
	if err != nil || len(rules) != 1 {
		t.Fatal(rules, err)
	}
	return rules[0].Format
}

package rule_test

import (
	"testing"

	"github.com/pertain-dev/pertain/rule"
)

// TestAlone: what is asked about one rule is answered as among all others.
func TestAlone(t *testing.T) {
	one := &rule.Rule{Name: "one", Path: "/w/one.md", Content: "x", Base: "/w", Globs: []string{"**/*.ts"}, Format: &rule.Format{}}
	other := &rule.Rule{Name: "other", Path: "/w/other.md", Content: "y", Base: "/w", Globs: []string{"**/*.js"}, Format: &rule.Format{}}
	set := rule.NewSet([]*rule.Rule{one, other}, nil, rule.Options{Root: "/w"})
	alone := set.Alone(one)
	files := []rule.File{{Path: "/w/a.ts"}, {Path: "/w/a.js"}}
	for i, verdicts := range set.For(files, false) {
		got := alone.For(files, false)[i]
		applies := len(verdicts) == 1 && verdicts[0].Rule == one
		if (len(got) == 1) != applies || applies && got[0] != verdicts[0] {
			t.Errorf("%s: %v among all, %v alone", files[i].Path, verdicts, got)
		}
	}
	if got := alone.Rules(); len(got) != 1 || got[0] != one {
		t.Errorf("%v", got)
	}
}

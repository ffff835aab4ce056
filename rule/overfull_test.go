package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestGlobsHaveALimitTogether: more globs than can be held are not compared, what
// comes before them is, and nothing is said of globs that may not be dead.
func TestGlobsHaveALimitTogether(t *testing.T) {
	var rules []*rule.Rule
	for i := range 400 {
		source := diag.NewSource(fmt.Sprintf("/w/r%03d.md", i), "")
		wide := fmt.Sprintf("%d{%s}/**/x{%s}", i, strings.Repeat("abcdefghijklmno,", 20), strings.Repeat("abcdefghijklmno,", 20))
		rules = append(rules, &rule.Rule{Name: fmt.Sprint(i), Path: source.Name(), Source: source, Level: rule.Project, Base: "/w", Format: &rule.Format{GlobKeys: []string{"globs"}}, Globs: []string{"src/*.ts", wide}, Bucket: rule.None})
	}
	set := rule.NewSet(rules, nil, rule.Options{Root: "/w"})
	verdicts := set.For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0]
	applies, overfull := 0, 0
	for i, v := range verdicts {
		switch {
		case v.Applies:
			if applies++; overfull > 0 {
				t.Errorf("rule %d applies, but not all before it", i)
			}
		case v.Why == rule.IsInvalid && strings.Contains(v.Note, "more than can be compared"):
			overfull++
		default:
			t.Errorf("rule %d: %+v", i, v)
		}
	}
	if applies == 0 || overfull == 0 {
		t.Errorf("%d apply, %d do not", applies, overfull)
	}
	if c := rule.NewCoverage(rules, false); !c.Exhausted() {
		t.Error("the coverage holds everything")
	}
	if c := rule.NewCoverage(rules[:3], false); c.Exhausted() || c.Empty() {
		t.Error("a few are too many")
	}
}

package lint_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cputime"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/rule"
)

// TestTrialHasALimit: examples that are not tried are told, once for each rule, and the rest of a run is not tried either.
func TestTrialHasALimit(t *testing.T) {
	examples := rule.Examples{Match: []rule.Example{{Text: "ab"}, {Text: "b"}}, NoMatch: []rule.Example{{Text: "c"}, {Text: "d"}}}
	one := &rule.Rule{Name: "one", Triggers: []string{"b"}, Examples: examples, Source: diag.NewSource("one.md", "x")}
	other := &rule.Rule{Name: "other", Triggers: []string{"b"}, Examples: rule.Examples{NoMatch: examples.NoMatch}, Source: diag.NewSource("other.md", "x")}
	for limit, want := range map[time.Duration]string{
		0: "",
		3: "this example of `one` and 2 more were not tried: the examples before took too long|this example of `other` and 1 more were not tried: the examples before took too long",
	} {
		var trial lint.Trial
		if looks := time.Duration(0); limit > 0 { // each look counts: before the triggers are made ready, and before each example
			trial.Work = cputime.New(limit, func() time.Duration { looks++; return looks })
		}
		tried := 0
		var told []string
		for _, r := range []*rule.Rule{one, other} {
			trial.Try(r, false, func(_ rule.Example, _ bool, d *diag.Diagnostic) {
				if d == nil {
					tried++
				} else {
					told = append(told, d.Message)
				}
			})
		}
		if got := strings.Join(told, "|"); got != want || limit == 0 && tried != 6 {
			t.Errorf("%v: %d tried, %s", limit, tried, got)
		}
	}
}

package cli

import (
	"fmt"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/rule"
)

// examplesReport is the JSON form of `rules test` without a text.
type examplesReport struct {
	Rules       int       `json:"rules"` // that have examples
	Examples    int       `json:"examples"`
	Failed      int       `json:"failed"`
	Diagnostics diag.List `json:"diagnostics"`
}

// examples runs the examples of rules.
func (t *triggerTest) examples(rules []*rule.Rule) error {
	report := examplesReport{Diagnostics: lint.Examples(rules, t.options.Documented)}
	for _, r := range rules {
		if n := r.Examples.Len(); n > 0 {
			report.Rules++
			report.Examples += n
		}
	}
	report.Failed = len(report.Diagnostics)
	if t.app.json {
		if err := t.app.writeJSON(report); err != nil {
			return err
		}
	} else {
		out := t.app.painted(t.app.call.Stdout)
		if err := diag.Text(out, report.Diagnostics, t.app.textOptions(out)); err != nil {
			return err
		}
		if report.Failed > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s of %s, %d failed\n", plural(report.Examples, "example"), plural(report.Rules, "rule"), report.Failed)
	}
	if report.Failed > 0 {
		return negative("")
	}
	return nil
}

// exampleResults are the examples of a rule as cases, one a text.
func exampleResults(trial *lint.Trial, r *rule.Rule) []cases.Result {
	var out []cases.Result
	trial.Try(r, false, func(e rule.Example, want bool, d *diag.Diagnostic) {
		word := "no_match"
		if want {
			word = "match"
		}
		result := cases.Result{File: r.Path, Name: r.Name + " " + word + ": " + diag.Short(e.Text), Line: r.Source.Position(e.Span.Start).Line, Passed: d == nil}
		if d != nil {
			result.Message = d.Message
		}
		out = append(out, result)
	})
	return out
}

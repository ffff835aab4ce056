package cli

import (
	"fmt"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
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
	report := examplesReport{Diagnostics: exampleProblems(rules, t.options.Documented)}
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

// exampleProblems are the examples of rules that do not do what they say.
func exampleProblems(rules []*rule.Rule, documented bool) diag.List {
	var list diag.List
	for _, r := range rules {
		tryExamples(r, documented, func(_ rule.Example, _ bool, d *diag.Diagnostic) {
			if d != nil {
				list.Add(*d)
			}
		})
	}
	return list
}

// tryExamples tells of each example of a rule what is wrong with it; nil: nothing is.
func tryExamples(r *rule.Rule, documented bool, tell func(e rule.Example, want bool, d *diag.Diagnostic)) {
	if r.Examples.Len() == 0 {
		return
	}
	set, _ := stream.Compile([]stream.Trigger{{Name: r.Name, Patterns: r.Triggers}}, stream.Options{Documented: documented})
	try := func(examples []rule.Example, want bool, message string) {
		for _, e := range examples {
			st := set.Stream()
			fires := len(st.Feed(e.Text))+len(st.End()) > 0
			open := st.Undecided()
			var d diag.Diagnostic
			switch {
			case len(open) > 0:
				d = diag.At(r.Source, e.Span, diag.RuleExampleFailed, "whether `%s` matches this example is not known: %s", r.Name, open[0]).
					WithHint("%s", set.Hint(open[0]))
			case fires != want:
				d = diag.At(r.Source, e.Span, diag.RuleExampleFailed, message, r.Name)
			default:
				tell(e, want, nil)
				continue
			}
			tell(e, want, &d)
		}
	}
	try(r.Examples.Match, true, "no trigger of `%s` matches this example")
	try(r.Examples.NoMatch, false, "a trigger of `%s` matches this example, which it should not")
}

// exampleResults are the examples of a rule as cases, one a text.
func exampleResults(r *rule.Rule) []cases.Result {
	var out []cases.Result
	tryExamples(r, false, func(e rule.Example, want bool, d *diag.Diagnostic) {
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

package cli

import (
	"fmt"

	"github.com/pertain-dev/pertain/diag"
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
		if r.Examples.Len() == 0 {
			continue
		}
		set, _ := stream.Compile([]stream.Trigger{{Name: r.Name, Patterns: r.Triggers}}, stream.Options{Documented: documented})
		check := func(examples []rule.Example, want bool, message string) {
			for _, e := range examples {
				st := set.Stream()
				fires := len(st.Feed(e.Text))+len(st.End()) > 0
				open := st.Undecided()
				switch {
				case len(open) > 0:
					list.Add(diag.At(r.Source, e.Span, diag.RuleExampleFailed, "whether `%s` matches this example is not known: %s", r.Name, open[0]).
						WithHint("%s", set.Hint(open[0])))
				case fires != want:
					list.Add(diag.At(r.Source, e.Span, diag.RuleExampleFailed, message, r.Name))
				}
			}
		}
		check(r.Examples.Match, true, "no trigger of `%s` matches this example")
		check(r.Examples.NoMatch, false, "a trigger of `%s` matches this example, which it should not")
	}
	return list
}

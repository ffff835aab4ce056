package lint

import (
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cputime"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// Trial tries examples of rules. What each of them takes has a limit, but a repository may hold any number, so that all
// together have one, too. The zero value has the usual one, from the first example on.
type Trial struct {
	Work *cputime.Meter // what all may cost, with making their triggers ready; nil: 2 s, which thousands of ordinary examples do not come near
}

const trialWork = 2 * time.Second

// Examples are the examples of rules that do not do what they say.
func Examples(rules []*rule.Rule, documented bool) diag.List {
	var list diag.List
	var trial Trial
	for _, r := range rules {
		trial.Try(r, documented, func(_ rule.Example, _ bool, d *diag.Diagnostic) {
			if d != nil {
				list.Add(*d)
			}
		})
	}
	return list
}

// Try tells of each example of a rule what is wrong with it; nil: nothing is. Of those that were not tried the first is told.
func (t *Trial) Try(r *rule.Rule, documented bool, tell func(e rule.Example, want bool, d *diag.Diagnostic)) {
	if r.Examples.Len() == 0 {
		return
	}
	if t.Work == nil {
		t.Work = cputime.New(trialWork, nil)
	}
	var set *stream.Set
	if t.Work.Left() > 0 {
		set, _ = stream.Compile([]stream.Trigger{{Name: r.Name, Patterns: r.Triggers}}, stream.Options{Documented: documented})
	}
	left := r.Examples.Len()
	try := func(examples []rule.Example, want bool, message string) {
		for _, e := range examples {
			if left--; left < 0 {
				return
			}
			if set == nil || t.Work.Left() <= 0 {
				d := diag.At(r.Source, e.Span, diag.RuleExampleFailed, "this example of `%s` and %d more were not tried: the examples before took too long", r.Name, left).
					WithHint("make the triggers simpler, or write fewer and shorter examples")
				tell(e, want, &d)
				left = 0
				return
			}
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

package rule

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
)

// checkNames reports names that do not say to a reader what they are: with
// characters that cannot be seen, with letters of several scripts in one word, and
// those that look like the name of another rule.
func (s *Set) checkNames() {
	if s.options.Documented {
		return
	}
	alike := make(map[string]*Rule, len(s.rules))
	for _, r := range s.rules {
		skeleton := visible.Skeleton(r.Name)
		other := alike[skeleton]
		if other == nil {
			alike[skeleton] = r
		}
		problem := NameProblem(r.Name)
		switch {
		case other != nil && problem == "" && NameProblem(other.Name) != "": // the other is the odd one
			s.warnName(other, "looks like that of another rule, but is written with other characters", r)
		case other != nil:
			s.warnName(r, "looks like that of another rule, but is written with other characters", other)
		case problem != "":
			s.warnName(r, problem, nil)
		}
	}
}

// NameProblem says what about a name a reader cannot see; "" if nothing.
func NameProblem(name string) string {
	for run := range visible.Hidden(name) {
		return "holds " + run.Kind.String() + ", which no reader can see"
	}
	if visible.MixesScripts(name) {
		return "mixes letters of several scripts that look alike in one word"
	}
	return ""
}

func (s *Set) warnName(r *Rule, problem string, other *Rule) {
	d := diag.At(r.Source, diag.NoSpan, diag.StrategyInvalidEncoding, "the name `%s` %s", visible.Line(r.Name), problem).
		WithHint("give the file a name in plain letters")
	d.Severity, d.Provider = diag.Warning, r.Provider
	if other != nil {
		d = d.WithRelated(other.Source, diag.NoSpan, "this is the other one")
	}
	s.warnings.Add(d)
}

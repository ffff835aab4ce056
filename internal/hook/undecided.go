package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// maxUndecided is how many rules are named that may have missed a match: a repository may hold any number of them.
const maxUndecided = 3

// undecidedError says which rules may have missed a match, and nothing of the text that they watched.
type undecidedError struct{ rules string }

func (e *undecidedError) Error() string {
	return e.rules + " may have missed a match, since looking for one takes too many steps; write such a trigger without back-references, or smaller"
}

// tellUndecided tells of the triggers that nobody knows of whether they fire. A call that one of them might have denied was not
// checked. A rule that fires elsewhere in the call is none of them: it comes to the same for the whole call.
func (s *session) tellUndecided(hits []hit, open []*stream.Trigger, kind stream.Kind) {
	open = slices.DeleteFunc(slices.Clone(open), func(t *stream.Trigger) bool { return names(hits, t.Name) })
	if len(open) == 0 {
		return
	}
	rankOf := func(t *stream.Trigger) rank { return s.rank(s.rules[t.Name]) }
	slices.SortStableFunc(open, func(a, b *stream.Trigger) int { return int(rankOf(a) - rankOf(b)) })
	err := &undecidedError{ruleList(open)}
	if rankOf(open[0]) == ownRank { // one line alone is told, and what is wrong with a repository's rules does not take its place
		s.problems = slices.Insert(s.problems, 0, error(err))
	} else {
		s.problem(err)
	}
	if s.lack == nil && slices.ContainsFunc(open, func(t *stream.Trigger) bool { return s.interrupts(t, kind) && s.budget(t.Name) > 0 }) {
		s.lack = err
	}
}

// undecided tells whether nobody knows that a rule does not fire.
func (f found) undecided(name string) bool {
	return slices.ContainsFunc(f.open, func(t *stream.Trigger) bool { return t.Name == name })
}

// names tells whether a rule is one of those that fire.
func names(hits []hit, name string) bool {
	return slices.ContainsFunc(hits, func(h hit) bool { return h.trigger.Name == name })
}

// ruleList names the rules of triggers, as far as they fit.
func ruleList(triggers []*stream.Trigger) string {
	var out []string
	for i, t := range triggers {
		if i == maxUndecided {
			out = append(out, fmt.Sprintf("%d more", len(triggers)-i))
			break
		}
		out = append(out, "rule "+quoted(t.Name))
	}
	if last := len(out) - 1; last > 0 {
		return strings.Join(out[:last], ", ") + " and " + out[last]
	}
	return out[0]
}

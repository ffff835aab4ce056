package hook

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// rank is whose a rule is. A model is told only so much at once, and a repository may hold any number of rules: what the user
// relies on comes first, in texts and in names, so that no stranger pushes it out.
type rank int

const (
	ownRank     rank = iota // the user's own
	trustedRank             // of a workspace that the user trusts
	strangeRank             // nobody vouches for it
)

// rank ranks a rule; nil is nobody's.
func (s *session) rank(r *rule.Rule) rank {
	switch {
	case !s.binding(r):
		return strangeRank
	case r.Level == rule.User:
		return ownRank
	}
	return trustedRank
}

// ranked are violations by whose rules are broken, in order of precedence otherwise.
func (s *session) ranked(hits []hit) []hit {
	return slices.SortedStableFunc(slices.Values(hits), func(a, b hit) int {
		return int(s.rank(s.rules[a.trigger.Name]) - s.rank(s.rules[b.trigger.Name]))
	})
}

// withoutOldest leaves out as many reminders as there are over the limit, the oldest first, those of the user's own rules last.
func withoutOldest(reminders []reminder, limit int) []reminder {
	over := len(reminders) - limit
	for _, own := range []bool{false, true} {
		reminders = slices.DeleteFunc(reminders, func(r reminder) bool {
			if over <= 0 || r.Own != own {
				return false
			}
			over--
			return true
		})
	}
	return reminders
}

package hook

import (
	"maps"
	"slices"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/quota"
)

// A record is read with each call, and one that is too large not at all. A repository may hold any number of rules, with long names, that break
// off each call: what is remembered of them is limited, so that what is remembered of the user's own always fits.
const (
	maxCallNames = 32 << 10 // bytes of the names of rules that all calls broke
	maxRows      = 500      // rules with denials in a row
	maxRowPaths  = 2_000    // where these were
	nameBase     = 16       // bytes that one takes beside its name
)

// takesRow tells whether denials of one more rule that is not the user's own are remembered.
func (r *record) takesRow() bool { return len(r.Rows) < maxRows }

// pathsLeft is how many more files of such rules are remembered.
func (r *record) pathsLeft() int {
	left := maxRowPaths
	for _, row := range r.Rows {
		left -= len(row.Paths)
	}
	return left
}

// withinQuota leaves out rules that a call broke and that are too many to be remembered, the user's own last.
func (s *session) withinQuota(rules map[string]journal.Action) map[string]journal.Action {
	if len(rules) <= quota.Others {
		return rules
	}
	out := map[string]journal.Action{}
	for _, own := range []bool{true, false} {
		for _, name := range slices.Sorted(maps.Keys(rules)) {
			if s.isOwn(name) == own && len(out) < quota.Others {
				out[name] = rules[name]
			}
		}
	}
	return out
}

// trimCalls leaves the last calls, as many as the limits allow.
func (r *record) trimCalls() {
	size := 0
	for i := len(r.Calls) - 1; i >= 0; i-- {
		for name := range r.Calls[i].Rules {
			size += nameBase + len(name)
		}
		if len(r.Calls)-i > maxCalls || size > maxCallNames && i < len(r.Calls)-1 {
			r.Calls = r.Calls[i+1:]
			return
		}
	}
}

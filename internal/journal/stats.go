package journal

import "time"

// StatsPeriod is what statistics are about.
const StatsPeriod = 30 * 24 * time.Hour

// Stats counts what one rule did.
type Stats struct {
	Denied      int        `json:"denied"`
	Interrupted int        `json:"interrupted"`
	Reminded    int        `json:"reminded"`
	Given       int        `json:"given"`
	Passed      int        `json:"passed"`
	Heeded      int        `json:"heeded"`
	Last        *time.Time `json:"last"` // nil: never
}

// Count makes statistics of entries, by the name of the rule.
func Count(entries []Entry) map[string]Stats {
	out := map[string]Stats{}
	for _, e := range entries {
		s := out[e.Rule]
		switch e.Action {
		case Denied:
			s.Denied++
		case Interrupted:
			s.Interrupted++
		case Reminded:
			s.Reminded++
		case Given:
			s.Given++
		case Passed:
			s.Passed++
		}
		if e.Heeded != nil && *e.Heeded {
			s.Heeded++
		}
		if s.Last == nil || e.Time.After(*s.Last) {
			s.Last = &e.Time
		}
		out[e.Rule] = s
	}
	return out
}

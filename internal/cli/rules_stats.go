package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/rule"
)

// ruleRow is a rule in a list, and what it did, if that was asked for.
type ruleRow struct {
	*rule.Rule
	stats  *journal.Stats
	tokens *int // of its text; nil: nobody asked
}

// MarshalJSON writes the form of the rule, with the statistics at its end.
func (r ruleRow) MarshalJSON() ([]byte, error) {
	text, err := r.Rule.MarshalJSON()
	if err != nil || r.stats == nil && r.tokens == nil {
		return text, err
	}
	text = bytes.TrimSuffix(text, []byte("}"))
	if r.tokens != nil {
		text = append(text, fmt.Sprintf(`,"tokens":%d`, *r.tokens)...)
	}
	if r.stats != nil {
		stats, err := json.Marshal(r.stats)
		if err != nil {
			return nil, err
		}
		text = append(text, `,"stats":`+string(stats)...)
	}
	return append(text, '}'), nil
}

// ruleRows makes a list of rules, with what they did in this workspace.
func (a *app) ruleRows(ctx context.Context, list []*rule.Rule, withStats bool) ([]ruleRow, error) {
	rows := make([]ruleRow, len(list))
	for i, r := range list {
		rows[i].Rule = r
	}
	if !withStats {
		return rows, nil
	}
	j := journal.At(a.paths().State)
	since := time.Now().Add(-journal.StatsPeriod)
	entries, err := j.Entries(ctx, journal.Filter{Since: since, Workspace: a.workspace()})
	if err != nil {
		return nil, journalError(err)
	}
	counted := journal.Count(entries)
	for i, r := range list {
		stats := counted[r.Name]
		rows[i].stats = &stats
	}
	return rows, nil
}

// statsLine says what a rule did, in words.
func statsLine(s journal.Stats) string {
	var parts []string
	for _, part := range []struct {
		count int
		word  string
	}{{s.Denied, "denied"}, {s.Interrupted, "interrupted"}, {s.Reminded, "reminded"}, {s.Given, "given"}, {s.Passed, "passed"}, {s.Heeded, "heeded"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", part.word, part.count))
		}
	}
	if s.Last == nil {
		return fmt.Sprintf("nothing in %d days", journal.StatsPeriod/(24*time.Hour))
	}
	return strings.Join(parts, ", ") + "; last " + s.Last.Local().Format("2006-01-02 15:04")
}

package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/journal"
)

// journalReport is the JSON form of `journal`.
type journalReport struct {
	Entries []journal.Entry `json:"entries"`
}

func (a *app) journalCommand() *cobra.Command {
	var since, name string
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "Tell what rules did: denied, interrupted, reminded, given",
		Long: `Tell what rules did in all workspaces, the oldest first: which call a rule denied,
which answer it interrupted, and whether that was heeded.

The journal holds names, paths and times, never text of yours, of the model or of
a file. It is kept in the state folder, at most 16 MiB; the setting
journal.enabled: false turns it off.`,
		Example: `  pertain journal
  pertain journal --since 7d --rule no-eval
  pertain journal --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			period, ok := parsePeriod(since)
			if !ok {
				return usage("--since %s: write a number with s, m, h, d or w, such as `90m`, `24h` or `7d`", since)
			}
			if cmd.Flags().Changed("rule") && name == "" {
				return usage("--rule has an empty name; name a rule, or leave --rule out")
			}
			entries, err := journal.At(a.paths().State).Entries(cmd.Context(), journal.Filter{Since: time.Now().Add(-period), Rule: name})
			if err != nil {
				return journalError(err)
			}
			if a.json {
				if entries == nil {
					entries = []journal.Entry{}
				}
				return a.writeJSON(journalReport{Entries: entries})
			}
			return a.printJournal(entries)
		},
	}
	cmd.Flags().StringVar(&since, "since", "24h", "how far back, such as `24h` or 7d")
	cmd.Flags().StringVar(&name, "rule", "", "only what the rule of this `NAME` did")
	_ = cmd.RegisterFlagCompletionFunc("rule", a.completeRules)
	a.jsonFlag(cmd)
	return cmd
}

// longest period that is asked for: more is the same as everything.
const maxPeriod = 100 * 365 * 24 * time.Hour

// parsePeriod reads a number with a unit.
func parsePeriod(text string) (time.Duration, bool) {
	units := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if text == "" {
		return 0, false
	}
	unit, ok := units[text[len(text)-1]]
	number := text[:len(text)-1]
	if !ok || strings.Trim(number, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n <= 0 {
		return 0, false
	}
	if n > float64(maxPeriod)/float64(unit) {
		return maxPeriod, true
	}
	return time.Duration(n * float64(unit)), true
}

func journalError(err error) error {
	return usage("the journal cannot be read: %s", fileerror.Reason(err))
}

func (a *app) printJournal(entries []journal.Entry) error {
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	for _, e := range entries {
		fmt.Fprintf(&b, "%s  %-11s  %s", e.Time.Local().Format("2006-01-02 15:04:05"), e.Action, paint.bold(clean(e.Rule)))
		if e.Path != nil {
			b.WriteString("  " + clean(*e.Path))
		}
		details := []string{string(e.Source)}
		if e.Agent != nil {
			details = append(details, clean(*e.Agent))
		}
		if e.Workspace != nil {
			details = append(details, clean(a.homeName(*e.Workspace)))
		}
		if e.Heeded != nil && *e.Heeded {
			details = append(details, "heeded")
		} else if e.Heeded != nil {
			details = append(details, "not heeded")
		}
		b.WriteString("  " + paint.dim(strings.Join(details, ", ")) + "\n")
	}
	if len(entries) == 0 {
		b.WriteString("no rule did anything in that time\n")
	}
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}

// journal is where this call writes what rules did; nil: none is kept.
func (a *app) journal() *journal.Journal { return journal.Kept(a.paths()) }

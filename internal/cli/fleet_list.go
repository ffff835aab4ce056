package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/fleet"
)

func (a *app) fleetListCommand() *cobra.Command {
	limit := 20
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the revisions of the fleet, the newest first",
		Long: `List the revisions of the fleet, the newest first: number, when, by whom, how many
files. Each is signed by one of the keys in fleet.keys; the list ends at the first
that is not.`,
		Example: `  pertain fleet list
  pertain fleet list --limit 100 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage("--limit must be at least 1")
			}
			return a.withFleet(cmd.Context(), func(ctx context.Context, c *fleetCall) error { return a.fleetList(ctx, c, limit) })
		},
	}
	cmd.Flags().IntVar(&limit, "limit", limit, "at most so many")
	a.jsonFlag(cmd)
	return cmd
}

type fleetListReport struct {
	Namespace string           `json:"namespace"`
	Revisions []revisionReport `json:"revisions"`
	Problem   *string          `json:"problem"` // why the list ends where it does
}

func (a *app) fleetList(ctx context.Context, c *fleetCall, limit int) error {
	all, err := c.book.Revisions(ctx, limit)
	if err != nil && !errors.Is(err, fleet.ErrEmpty) && len(all) == 0 {
		return err
	}
	report := fleetListReport{Namespace: c.values.Namespace, Revisions: []revisionReport{}}
	if err != nil && !errors.Is(err, fleet.ErrEmpty) {
		problem := err.Error()
		report.Problem = &problem
	}
	for _, s := range all {
		report.Revisions = append(report.Revisions, reportRevision(s.Checked))
	}
	if a.json {
		return a.writeJSON(report)
	}
	out := a.painted(a.call.Stdout)
	for _, s := range all {
		message := ""
		if s.Message != "" {
			message = "  " + clean(s.Message)
		}
		fmt.Fprintf(out, "%s  %s%s\n", s.Sum[:12], revisionLine(s.Checked, time.Now()), message)
	}
	switch {
	case report.Problem != nil:
		_, err = fmt.Fprintf(out, "what was before cannot be shown: %s\n", clean(*report.Problem))
	case len(all) == 0:
		_, err = fmt.Fprintln(out, "nothing was pushed yet")
	default:
		err = nil
	}
	return err
}

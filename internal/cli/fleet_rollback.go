package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/lint"
)

func (a *app) fleetRollbackCommand() *cobra.Command {
	var flags pushFlags
	cmd := &cobra.Command{
		Use:   "rollback REVISION",
		Short: "Bring the files of an earlier revision back into force",
		Long: `Bring the files of an earlier revision back into force, by a new revision with a
number of its own, signed as every other. REVISION is a number or the beginning of
a sum, as ` + "`pertain fleet list`" + ` shows them.

A server that merely shows an old revision again is not believed: machines take
nothing with a number that they have seen.`,
		Example: `  pertain fleet rollback 6
  pertain fleet rollback 6 --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withFleet(cmd.Context(), func(ctx context.Context, c *fleetCall) error { return a.fleetRollback(ctx, c, args[0], flags) })
		},
	}
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "show what would change, push nothing")
	flags.add(cmd)
	a.jsonFlag(cmd)
	return cmd
}

// findRevision reads a number, or the beginning of a sum.
func findRevision(ctx context.Context, c *fleetCall, text string) (*fleet.Sealed, error) {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) < 12 {
		return c.book.Find(ctx, max(number, 1), "")
	}
	if len(text) < 6 || strings.Trim(text, "0123456789abcdef") != "" {
		return nil, usage("`%s` is no revision: write a number, or at least 6 characters of a sum, as `pertain fleet list` shows them", text)
	}
	return c.book.Find(ctx, 0, text)
}

func (a *app) fleetRollback(ctx context.Context, c *fleetCall, text string, flags pushFlags) error {
	back, err := findRevision(ctx, c, text)
	if err != nil {
		return err
	}
	report := pushReport{Namespace: c.values.Namespace, Files: len(back.Files)}
	for _, f := range back.Files {
		report.Bytes += f.Size
	}
	draft := fleet.Draft{Files: back.Files, Rollback: back.Revision, Message: flags.message}
	if _, err := a.fleetMake(ctx, c, draft, flags, &report); err != nil {
		return err
	}
	return a.printPush(report, flags, lint.Report{})
}

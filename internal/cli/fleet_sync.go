package cli

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
)

// noFleet is for commands that need one.
func noFleet() error {
	return usage("there is no fleet: set fleet.url in the settings file, such as nats://10.0.0.1:4222; see docs/fleet.md")
}

func (a *app) fleetSyncCommand() *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Carry what conversations remember, and the journal, to the fleet now",
		Long: `Carry what hooks and gateways remember on this machine to the fleet, and what
others changed back, and the journal as the setting fleet.journal says. Each line
of the journal is counted once, however often this is called. Buckets and streams
that the servers have not got yet are made; that takes all nodes of a cluster.

` + "`pertain gateway`" + ` and ` + "`pertain serve`" + ` do so all the while. This command is for
machines on which neither runs, such as the last step of a job in CI.`,
		Example: `  pertain fleet sync
  pertain fleet sync --timeout 5s --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit <= 0 {
				return usage("--timeout: write a time above 0, such as 10s")
			}
			shared, err := a.share(cmd.Context(), slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			if shared == nil {
				return noFleet()
			}
			defer shared.fleet.Close()
			ctx, cancel := context.WithTimeout(cmd.Context(), limit)
			defer cancel()
			if err := shared.prepare(ctx); err != nil { // also where there is nothing to carry
				return fleetError(err)
			}
			report, err := shared.carry(ctx, true)
			if err != nil {
				return fleetError(err)
			}
			if a.json {
				return a.writeJSON(report)
			}
			text := fmt.Sprintf("%d conversations compared, %d lines of the journal counted\n", report.Conversations, report.Lines)
			if !report.Journal {
				text = fmt.Sprintf("%d conversations compared; the journal stays here (fleet.journal is off)\n", report.Conversations)
			}
			_, err = fmt.Fprint(a.painted(a.call.Stdout), text)
			return err
		},
	}
	cmd.Flags().DurationVar(&limit, "timeout", 30*time.Second, "give up after this `TIME`; what is left is carried the next time")
	a.jsonFlag(cmd)
	return cmd
}

// fleetError says why the fleet could not be asked. What is kept here is not lost by it.
func fleetError(err error) error {
	return negative("the fleet does not answer: %s", err)
}

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/service"
)

func (a *app) serviceRemoveCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "remove",
		Short:   "End the service and start it no more",
		Long:    `End the service and remove its unit file.`,
		Example: "  pertain service remove",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serviceRemove(cmd.Context(), dryRun) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing, and print what would be done")
	return cmd
}

func (a *app) serviceRemove(ctx context.Context, dryRun bool) error {
	unit, err := a.unitFile()
	if err != nil {
		return err
	}
	if unit.before == "" {
		_, err := fmt.Fprintln(a.call.Stderr, "the service is not installed")
		return err
	}
	before, after := [][]string{{"disable", "--now", service.UnitName}}, [][]string{{"daemon-reload"}}
	if dryRun {
		return a.showUnit(unit, "", append(before, after...))
	}
	why := a.systemctl(ctx, before...)
	if err := unit.remove(); err != nil {
		return err
	}
	if why == "" {
		why = a.systemctl(ctx, after...)
	}
	if why != "" {
		_, err := fmt.Fprintf(a.call.Stderr, "the unit is removed; systemd was not told: %s\n", why)
		return err
	}
	_, err = fmt.Fprintln(a.call.Stderr, "the service has ended, and starts no more")
	return err
}

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/service"
)

func (a *app) serviceInstallCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Start the service now and with each login (systemd)",
		Long: `Write a unit file for systemd's user manager and let it start the service, now and
with each login. Where there is no user manager to speak to, the file is written,
and what is left to do is said. ` + "`pertain service remove`" + ` takes everything back.`,
		Example: "  pertain service install --dry-run\n  pertain service install",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serviceInstall(cmd.Context(), dryRun) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing, and print what would be done")
	return cmd
}

func (a *app) serviceInstall(ctx context.Context, dryRun bool) error {
	self, without := a.ownProgram(a.workspace())
	if self == "" {
		return negative("%s", without)
	}
	unit, err := a.unitFile()
	if err != nil {
		return err
	}
	text, err := service.Unit(self)
	if err != nil {
		return negative("%s", err)
	}
	steps := [][]string{{"daemon-reload"}, {"enable", service.UnitName}, {"restart", service.UnitName}}
	if dryRun {
		return a.showUnit(unit, text, steps)
	}
	if text != unit.before {
		if err := unit.write(text); err != nil {
			return err
		}
	}
	if why := a.systemctl(ctx, steps...); why != "" {
		return negative("the unit is written, but nothing starts it: %s; run `systemctl --user enable --now %s` in the session, or start `pertain service run` with it", why, service.UnitName)
	}
	_, err = fmt.Fprintln(a.call.Stderr, "the service runs, and starts with each login")
	return err
}

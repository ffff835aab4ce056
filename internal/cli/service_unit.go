package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/program"
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

// unitFile is the unit in the user's folder.
type unitFile struct {
	path   string
	before string // its text; empty: there is none
}

// maxUnit bounds a unit file.
const maxUnit = 1 << 20

// unitFile reads the unit.
func (a *app) unitFile() (unitFile, error) {
	home := a.paths().Home
	folder := a.call.Env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		if home == "" {
			return unitFile{}, negative("there is no home folder; set HOME to an absolute path")
		}
		folder = filepath.Join(home, ".config")
	}
	u := unitFile{path: filepath.Join(folder, "systemd", "user", service.UnitName)}
	data, err := files.OS().ReadFile(u.path, maxUnit)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return u, negative("%s cannot be read: %s", u.path, err)
	}
	u.before = string(data)
	if u.before != "" && !service.IsOwnUnit(u.before) {
		return u, negative("%s was not written by this program; it stays as it is", u.path)
	}
	return u, nil
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

func (u unitFile) write(text string) error {
	target, err := files.OwnTarget(u.path)
	if err == nil {
		if err = target.MakeFolder(0o700); err == nil {
			err = target.Write([]byte(text), 0o600)
		}
	}
	if err != nil {
		return negative("%s cannot be written: %s", u.path, err)
	}
	return nil
}

func (u unitFile) remove() error {
	target, err := files.OwnTarget(u.path)
	if err == nil {
		err = target.Remove()
	}
	if err != nil {
		return negative("%s cannot be removed: %s", u.path, err)
	}
	return nil
}

// showUnit prints what would be done.
func (a *app) showUnit(unit unitFile, text string, steps [][]string) error {
	var b strings.Builder
	if text != unit.before {
		b.WriteString(lineDiff(unit.path, unit.before, text))
	}
	for _, step := range steps {
		b.WriteString("systemctl --user " + strings.Join(step, " ") + "\n")
	}
	_, err := fmt.Fprint(a.call.Stdout, b.String())
	return err
}

// systemctlTime is how long systemd gets for one order.
const systemctlTime = 20 * time.Second

// systemctl gives orders to the user manager, and says why one was not taken; "": all
// were.
func (a *app) systemctl(ctx context.Context, orders ...[]string) string {
	search := a.programs()
	found, err := search.Find("systemctl")
	if err != nil {
		return "systemctl is not installed"
	}
	env := []string{"PATH=" + search.Folders(), "LC_ALL=C"}
	for _, name := range []string{"HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS"} {
		if value := a.call.Env(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	for _, order := range orders {
		var said strings.Builder
		limited, cancel := context.WithTimeout(ctx, systemctlTime)
		err := found.Run(limited, program.Call{Dir: "/", Env: env, Stderr: &said, Wait: time.Second}, append([]string{"--user"}, order...)...)
		cancel()
		if err != nil {
			line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
			if line == "" {
				line = err.Error()
			}
			return "systemctl --user " + strings.Join(order, " ") + ": " + oneLine(line)
		}
	}
	return ""
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/service"
	"github.com/pertain-dev/pertain/internal/writing"
)

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

func (u unitFile) write(text string) error {
	target, err := writing.OwnTarget(u.path)
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
	target, err := writing.OwnTarget(u.path)
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

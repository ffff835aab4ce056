package cli

import (
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/facts"
)

// settleWindow finds out which window is read.
func (a *app) settleWindow(cmd *cobra.Command, flags pickFlags) error {
	a.before = flags.menu == menuTerminal && flags.from == ""
	if !cmd.Flags().Changed("context-from") {
		return nil
	}
	if flags.where.file != "" {
		return usage("--context-from and --context do not go together")
	}
	number, err := strconv.ParseUint(flags.from, 0, 32)
	if err != nil || number == 0 {
		return usage("--context-from `%s` is no number of a window or a process; `xdotool getactivewindow` prints that of the window in front", flags.from)
	}
	if runtime.GOOS != "linux" {
		return usage("--context-from: windows are found by their number on Linux alone")
	}
	a.from = int(number)
	return nil
}

// front is the program of the window in front.
type front struct {
	Name string `json:"name"`
	PID  int    `json:"pid"`
}

// frontOf is the program in front, as far as it is certain.
func frontOf(s *facts.Snapshot) (front, bool) {
	var f front
	for _, field := range s.Values().Field(facts.ActiveProcess).Fields() {
		switch field.Name {
		case "name":
			f.Name = field.Value.Text()
		case "id":
			f.PID = int(field.Value.Number())
		}
	}
	return f, f.Name != "" && f.PID > 0
}

// front is the program that was in front, as far as it is certain.
func (d *pickDesk) front() (front, bool) {
	if d.service != nil {
		return d.service.list.Front, d.service.list.Front.PID > 0
	}
	return frontOf(d.snapshot)
}

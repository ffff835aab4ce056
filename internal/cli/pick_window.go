package cli

import (
	"context"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/collect"
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

// front is a window, told apart from others.
type front struct {
	Window string `json:"window"` // "": nothing tells it apart
	Name   string `json:"name"`   // of its program
	PID    int    `json:"pid"`
}

// known tells whether it is certain which window it is, and whose.
func (f front) known() bool { return f.Window != "" && f.Name != "" && f.PID > 0 }

// readWindow is the window that is read: the one in front, or the one that
// --context-from or the service names.
func (a *app) readWindow(ctx context.Context) front { return frontOf(ctx, a.machine()) }

// topWindow is the window in front, whichever is read.
func (a *app) topWindow(ctx context.Context) front {
	options, _, _, _ := a.collectOptions()
	options.Window, options.Asker = 0, 0
	return frontOf(ctx, a.machine().With(options))
}

// frontTime is how long finding a window may take.
const frontTime = 2 * time.Second

func frontOf(ctx context.Context, machine *collect.Machine) front {
	ctx, cancel := context.WithTimeout(ctx, frontTime)
	defer cancel()
	w, err := machine.Front(ctx)
	if err != nil {
		return front{}
	}
	return front{w.Window, w.Process, w.PID}
}

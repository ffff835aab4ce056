//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// surviveFileLimit makes a file that grows beyond the user's limit an error of
// writing it, instead of the end of the process. Programs that are started have the
// signal as before, which they would not if it were ignored.
func surviveFileLimit() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }

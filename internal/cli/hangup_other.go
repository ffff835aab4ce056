//go:build !unix

package cli

import (
	"context"
	"os"
)

// onHangUp has nothing to wait for: the system ends the programs of a terminal.
func onHangUp(context.Context, *os.File, func()) {}

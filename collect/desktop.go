//go:build darwin || linux || windows

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

// errNoWindow is the answer when no window is in front: there is nothing to
// read, and that is certain.
var errNoWindow = errors.New("no window is in front")

// CanCollect is that of all collectors that read the desktop, unless they know
// better.
func (d *desktop) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	return d.present()
}

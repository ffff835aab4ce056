//go:build darwin || linux || windows

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/privacy"
	"github.com/pertain-dev/pertain/facts"
)

// errNoWindow is the answer when no window is in front: there is nothing to
// read, and that is certain.
var errNoWindow = errors.New("no window is in front")

// private are the rules about windows that are never read.
func (d *desktop) private() privacy.Rules {
	if d.options.PrivateNow != nil {
		return privacy.Rules(d.options.PrivateNow())
	}
	return privacy.Rules(d.options.Private)
}

// refusesClipboard is what an answer about the window in front means for the
// clipboard; nil: it may be read.
func (d *desktop) refusesClipboard(err error) error {
	if errors.Is(err, errNoWindow) {
		return nil
	}
	return d.private().ForClipboard(err)
}

// tellFront is the window that is read, told apart from others.
func (d *desktop) tellFront(ctx context.Context) (Front, error) {
	if !d.present() {
		return Front{}, errNoWindow
	}
	w, err := d.front(ctx)
	if err != nil {
		return Front{}, err
	}
	return Front{Window: w.key(), Process: w.process, PID: int(w.pid)}, nil //nolint:unconvert // it is another type on Windows
}

// CanCollect is that of all collectors that read the desktop, unless they know
// better.
func (d *desktop) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	return d.present()
}

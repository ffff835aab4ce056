//go:build !windows

package collect

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

// absence answers for everything that is read of a desktop where there is none:
// the one collector that says why, and what to do about it. It comes first in the
// table.
type absence struct {
	id  string
	why func() error // nil: there is a desktop
}

// desktopNeeds are what only a desktop has.
var desktopNeeds = []string{"attachments.selection.text", "clipboard", "extra.browser", "extra.file_manager", facts.Visual, facts.ActiveProcess}

func (a absence) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: a.id, Serves: desktopNeeds}
}

func (a absence) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	return a.why() != nil
}

func (a absence) Collect(context.Context, *facts.Snapshot, facts.Request) (facts.Part, error) {
	return facts.Part{}, a.why()
}

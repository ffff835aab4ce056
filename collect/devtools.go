//go:build linux || windows

package collect

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/devtools"
	"github.com/pertain-dev/pertain/collect/internal/privacy"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/facts"
)

// devTools reads the active tab of a Chromium that the user has started with a
// debugging port. It comes before what assistive programs are told, since it is
// sure which tab is active.
type devTools struct {
	*desktop
	asked *devtools.Memory
}

func newDevTools(d *desktop) devTools { return devTools{d, &devtools.Memory{}} }

func (devTools) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "browser.devtools", Serves: []string{"extra.browser"}}
}

func (d devTools) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	w, ok, err := d.frontBrowser(ctx)
	if ctx.Err() != nil {
		return facts.Part{}, err // there is no time for another collector
	}
	if err != nil || !ok || w.pid == 0 {
		return facts.Part{}, nil //nolint:nilerr // the next collector says what is wrong
	}
	port, ok := devtools.Port(process.Arguments(w.pid))
	if !ok {
		return facts.Part{}, nil
	}
	if !devtools.Listens(w.pid, port) { // another browser, or who knows what
		return facts.Part{}, devtools.ErrForeignPort()
	}
	var allowed func(bool) error
	if !d.private().NoDefaults {
		allowed = func(told bool) error {
			if told {
				return privacy.ErrUsual
			}
			return d.tellsPrivacy(ctx, w)
		}
	}
	return devtools.Read(ctx, port, d.asked, w.title, request.Needs.Wants(browser.PagePath), allowed)
}

package collect

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/uia"
	"github.com/pertain-dev/pertain/facts"
)

func (w window) isBrowser() bool {
	return browser.IsChromiumProgram(w.process) || browser.IsFirefoxProgram(w.process)
}

// wakeTime is how long a sleeping browser gets to build its tree.
const wakeTime = 120 * time.Millisecond

// activeTab asks UI Automation.
func (d *desktop) activeTab(ctx context.Context, w window) (browser.Tab, error) {
	s, err := d.accessible(ctx, w)
	if err != nil {
		return browser.Tab{}, err
	}
	for until := time.Now().Add(wakeTime); ; {
		found, ok, err := s.Page(ctx)
		if err != nil {
			return browser.Tab{}, uia.Unanswered(ctx, err)
		}
		if ok {
			return browser.Tab{URL: found.URL, Title: found.Title}, nil
		}
		if time.Now().After(until) || !sleep(ctx, 10*time.Millisecond) {
			break
		}
	}
	return browser.Tab{}, facts.Unavailable("the browser does not tell the address of its page", "start it with --force-renderer-accessibility; in Firefox set accessibility.force_disabled to 0")
}

// isOtherBrowser tells of none: browsers that do not tell their page are not known here.
func (window) isOtherBrowser() bool { return false }

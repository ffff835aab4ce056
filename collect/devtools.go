//go:build linux || windows

package collect

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/privacy"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
)

// devTools reads the active tab of a Chromium that the user has started with a
// debugging port. It comes before what assistive programs are told, since it is
// sure which tab is active.
type devTools struct {
	*desktop
	last   *atomic.Pointer[string] // see debugger
	worlds *worlds
}

func newDevTools(d *desktop) devTools { return devTools{d, &atomic.Pointer[string]{}, &worlds{}} }

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
	port, ok := debuggingPort(process.Arguments(w.pid))
	if !ok {
		return facts.Part{}, nil
	}
	if !listens(w.pid, port) { // another browser, or who knows what
		return facts.Part{}, &facts.CollectError{
			Code: diag.ExtraProviderFailed, Reason: "the debugging port that the browser was started with is not its own", Remedy: portRemedy,
		}
	}
	chromium := newDebugger(port)
	chromium.last, chromium.worlds = d.last, d.worlds
	var allowed func(bool) error
	if !d.private().NoDefaults {
		allowed = func(told bool) error {
			if told {
				return privacy.ErrUsual
			}
			return d.tellsPrivacy(ctx, w)
		}
	}
	return portTab(ctx, chromium, w.title, request.Needs.Wants(browser.PagePath), allowed)
}

// portTab asks a browser's port for the page of the window with a title. Where
// allowed is given, it decides about a page that the browser tells to be private,
// or, not told, about one of which the browser does not say whether it is.
func portTab(ctx context.Context, d debugger, windowTitle string, withPage bool, allowed func(told bool) error) (facts.Part, error) {
	hasty, cancel := portShare(ctx)
	defer cancel()
	private := make(chan func(string) error, 1)
	if allowed != nil {
		go func() { private <- d.privacy(hasty, allowed) }()
	}
	p, err := d.activePage(hasty, windowTitle)
	if err == nil && allowed != nil {
		if err := (<-private)(p.ID); err != nil {
			var known *facts.CollectError
			if errors.As(err, &known) {
				return facts.Part{}, err
			}
			return facts.Part{}, portFailed(hasty, err)
		}
	}
	switch {
	case errors.Is(err, errNoPage):
		return facts.Part{}, nil // the next collector knows better which window is in front
	case err != nil:
		return facts.Part{}, portFailed(hasty, err)
	}
	return d.tab(ctx, p, withPage).Part(), nil
}

// portFailed words a failure of the port.
func portFailed(hasty context.Context, err error) error {
	if hasty.Err() != nil {
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the browser's debugging port does not answer", Remedy: "wait until the browser reacts again, or start it again", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the browser's debugging port does not tell its tabs", Remedy: portRemedy, Err: err}
}

// privacy asks the browser which pages are private, and gives a function that
// decides about one.
func (d debugger) privacy(ctx context.Context, allowed func(told bool) error) func(page string) error {
	open, known, err := d.openPages(ctx)
	return func(page string) error {
		switch {
		case err != nil:
			return err
		case !known:
			return allowed(false)
		case !open[page]:
			return allowed(true)
		}
		return nil
	}
}

// portRemedy is how a browser gets a debugging port of its own.
const portRemedy = "start the browser again, with --remote-debugging-port=0 and a --user-data-dir of its own"

// portShare is half of the time that is left: a port that hangs must leave the
// other half to those who are asked next.
func portShare(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/2)
}

// debuggingPort finds the port in a browser's command line; 0 there means that
// the browser chose one and wrote it down.
func debuggingPort(args []string) (int, bool) {
	port, profile := -1, ""
	for _, arg := range args {
		if v, ok := strings.CutPrefix(arg, "--remote-debugging-port="); ok {
			if n, err := strconv.Atoi(v); err == nil {
				port = n
			}
		}
		if v, ok := strings.CutPrefix(arg, "--user-data-dir="); ok {
			profile = v
		}
	}
	if port == 0 && profile != "" {
		if text, err := files.OS().ReadFile(filepath.Join(profile, "DevToolsActivePort"), 4096); err == nil {
			line, _, _ := strings.Cut(string(text), "\n")
			if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
				port = n
			}
		}
	}
	return port, port > 0 && port < 1<<16
}

//go:build linux || windows

// Package devtools reads the active tab of a Chromium that the user has started
// with a debugging port, over the DevTools protocol on 127.0.0.1.
//
//	command line → Port → Listens → Read → the list of pages → isolated worlds → browser.Tab
//
// Use [Port] first. The port must be the browser's own, and nothing else is dialled.
// A page says what it likes of itself: what is believed is asked in an isolated
// world (world.go), and private pages are told by the browser.
package devtools

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
)

// ErrForeignPort is the answer where somebody else listens at the port.
func ErrForeignPort() error {
	return &facts.CollectError{
		Code: diag.ExtraProviderFailed, Reason: "the debugging port that the browser was started with is not its own", Remedy: portRemedy,
	}
}

// Memory is what is remembered of a browser between questions; the zero value is
// nothing.
type Memory struct {
	last   atomic.Pointer[string] // id of the page that showed last
	worlds worlds
}

// Read is the tab that shows in the window with a title; see portTab.
func Read(ctx context.Context, port int, known *Memory, windowTitle string, withPage bool, allowed func(told bool) error) (facts.Part, error) {
	d := newDebugger(port)
	d.last, d.worlds = &known.last, &known.worlds
	return portTab(ctx, d, windowTitle, withPage, allowed)
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

// Port finds the port in a browser's command line; 0 there means that
// the browser chose one and wrote it down.
func Port(args []string) (int, bool) {
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

//go:build linux || windows

package collect

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// devTools reads the active tab of a Chromium that the user has started with a
// debugging port. It comes before what assistive programs are told, since it is
// sure which tab is active.
type devTools struct{ *desktop }

func (devTools) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "browser.devtools", Serves: []string{"extra.browser"}}
}

func (d devTools) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	w, ok, err := d.frontBrowser(ctx)
	if err != nil || !ok || w.pid == 0 {
		return facts.Part{}, nil //nolint:nilerr // the next collector says what is wrong
	}
	port, ok := debuggingPort(arguments(w.pid))
	if !ok {
		return facts.Part{}, nil
	}
	t, err := newDebugger(port).activeTab(ctx, w.title, request.Needs.Wants(tabPage))
	if err != nil {
		return facts.Part{}, &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the browser's debugging port does not answer", Err: err}
	}
	return t.part(), nil
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
		if line, err := readHead(filepath.Join(profile, "DevToolsActivePort")); err == nil {
			if n, err := strconv.Atoi(line); err == nil {
				port = n
			}
		}
	}
	return port, port > 0 && port < 1<<16
}

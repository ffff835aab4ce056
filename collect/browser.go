//go:build linux || windows

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

// tabReader reads the active tab of the browser in front as assistive programs do
// (docs/reference/paths.md).
type tabReader struct{ *desktop }

func (tabReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: systemName + ".browser", Serves: []string{"extra.browser"}, Permission: readPermission}
}

func (b tabReader) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	w, ok, err := b.frontBrowser(ctx)
	if err != nil {
		return facts.Part{}, err
	}
	if !ok && !w.isOtherBrowser() {
		return facts.Part{}.With("extra.browser", facts.Value{}), nil
	}
	t, err := b.activeTab(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	return t.WithoutPage(request, "pages are read from a Chromium that was started with --remote-debugging-port=0 and a --user-data-dir of its own").Part(), nil
}

// frontBrowser is the window in front, if it is a browser's.
func (d *desktop) frontBrowser(ctx context.Context) (window, bool, error) {
	w, err := d.front(ctx)
	if errors.Is(err, errNoWindow) {
		return window{}, false, nil
	}
	return w, err == nil && w.isBrowser(), err
}

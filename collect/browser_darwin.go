package collect

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pertain-dev/pertain/collect/internal/ax"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/macos"
	"github.com/pertain-dev/pertain/facts"
)

// tabReader reads the active tab of the browser in front (docs/reference/paths.md) with the
// system's scripting, which Firefox does not have.
type tabReader struct{ *desktop }

func (tabReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.browser", Serves: []string{"extra.browser"}, Permission: "automation of the browser"}
}

// browsers are those that are known, by bundle, with what they call the tab in
// front and its title; empty: they have no scripting.
var browsers = []struct{ bundle, tab, title string }{
	{"com.apple.Safari", "currentTab", "name"},
	{"com.apple.SafariTechnologyPreview", "currentTab", "name"},
	{"com.google.Chrome", "activeTab", "title"},
	{"com.google.Chrome.beta", "activeTab", "title"},
	{"com.google.Chrome.canary", "activeTab", "title"},
	{"org.chromium.Chromium", "activeTab", "title"},
	{"com.brave.Browser", "activeTab", "title"},
	{"com.microsoft.edgemac", "activeTab", "title"},
	{"com.vivaldi.Vivaldi", "activeTab", "title"},
	{"com.operasoftware.Opera", "activeTab", "title"},
	{"company.thebrowser.Browser", "activeTab", "title"}, // Arc
	{"org.mozilla.firefox", "", ""},
	{"org.mozilla.firefoxdeveloperedition", "", ""},
	{"org.mozilla.nightly", "", ""},
}

// browserScript takes names of the table above only. The first window is the
// one in front; a browser without windows has no tab.
const browserScript = `const windows = Application(%q).windows;
if (windows.length === 0) JSON.stringify({});
else { const tab = windows[0].%s; JSON.stringify({url: tab.url(), title: tab.%s()}); }`

func (b tabReader) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.browser", facts.Value{})
	app, err := b.checked(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	bundle, _ := b.identity(app.pid)
	for _, known := range browsers {
		if known.bundle != bundle {
			continue
		}
		if known.tab == "" {
			return facts.Part{}, facts.Unavailable("this browser has no scripting", "")
		}
		var said struct{ URL, Title string }
		if err := macos.Script(ctx, fmt.Sprintf(browserScript, known.bundle, known.tab, known.title), &said); err != nil {
			return facts.Part{}, err
		}
		if said.URL == "" && said.Title == "" {
			return none, nil
		}
		return browser.Tab{URL: said.URL, Title: said.Title}.WithoutPage(request, "").Part(), nil
	}
	return none, nil
}

// page reads the active tab of the browser in front over the system's
// accessibility: where there is no scripting, or no permission for it.
type page struct{ *desktop }

func (page) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.accessibility.browser", Serves: []string{"extra.browser"}, Permission: readPermission}
}

func (p page) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.browser", facts.Value{})
	a, app, front, err := p.window(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	defer front.Close()
	bundle, _ := p.identity(app.pid)
	if !slices.ContainsFunc(browsers, func(known struct{ bundle, tab, title string }) bool { return known.bundle == bundle }) {
		return none, nil
	}
	found, status := ax.PageOf(a, front.Window, ax.TimeLeft(ctx, ax.Reserve))
	if status != ax.StatusSuccess {
		return facts.Part{}, ax.Failed(status)
	}
	if found.URL == "" {
		return facts.Part{}, facts.Unavailable("the browser in front does not tell its page", "")
	}
	return found.WithoutPage(request, "").Part(), nil
}

package collect

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/facts"
)

func (w window) isBrowser() bool {
	name := strings.ToLower(w.process + " " + w.class)
	return browser.IsChromium(name) || browser.IsFirefox(name)
}

// isOtherBrowser tells whether the program is a browser of which it is not known that it
// tells its page.
func (w window) isOtherBrowser() bool {
	return !w.isBrowser() && browser.KindOf([]string{w.process, w.class}) == browser.OtherBrowser
}

// activeTab asks over the accessibility bus. Nothing of a tab is kept: no event
// is certain to come when a page gives itself another address. What is kept while the
// desktop is watched is where its page was found.
func (d *desktop) activeTab(ctx context.Context, w window) (browser.Tab, error) {
	warm := d.warm.Load()
	if kept, ok := warm.pageOf(w); ok {
		if found, name, ok := kept.window.SamePage(ctx, kept.page); ok && d.private().Refuses(name, w.process, w.class) == nil {
			return tabOf(found), nil
		}
	}
	since := warm.windowsNow()
	s, err := d.accessible(ctx, w)
	if err != nil {
		return browser.Tab{}, err
	}
	found, document, err := s.WebDocument(ctx)
	if err != nil {
		return browser.Tab{}, atspi.Unanswered(ctx, err)
	}
	if document.None() && w.dialog {
		return browser.Tab{}, facts.Unavailable("the browser's window in front shows no page", "close it, or go to a window with a page")
	}
	if document.None() && w.isOtherBrowser() {
		return browser.Tab{}, facts.Unavailable("the browser in front does not tell its page over the accessibility bus", "open the page in Firefox or Chromium, or give it with --context")
	}
	if document.None() {
		remedy := "run " + turnOn + ", then start the browser again"
		if d.session.Enabled(ctx) {
			remedy = "wait until the page shows; if it stays so, start the browser again"
		}
		return browser.Tab{}, facts.Unavailable("the browser shows no page on the accessibility bus", remedy)
	}
	warm.keepPage(since, w, s, document)
	return tabOf(found), nil
}

func tabOf(p atspi.Page) browser.Tab { return browser.Tab{URL: p.URL, Title: p.Title} }

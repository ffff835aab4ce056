package collect

import (
	"cmp"
	"context"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/facts"
)

func (w window) isBrowser() bool {
	name := strings.ToLower(w.process + " " + w.class)
	return browser.IsChromium(name) || browser.IsFirefox(name)
}

// activeTab asks over the accessibility bus. Nothing of a tab is kept: no event
// is certain to come when a page gives itself another address. What is kept while the
// desktop is watched is where its page was found.
func (d *desktop) activeTab(ctx context.Context, w window) (browser.Tab, error) {
	warm := d.warm.Load()
	if kept, ok := warm.pageOf(w); ok {
		if t, name, ok := kept.scene.samePage(ctx, kept.page); ok && d.private().Refuses(name, w.process, w.class) == nil {
			return t, nil
		}
	}
	since := warm.windowsNow()
	s, err := d.sceneOf(ctx, w)
	if err != nil {
		return browser.Tab{}, err
	}
	t, page, err := s.webDocument(ctx)
	if err != nil {
		return browser.Tab{}, hung(ctx, err)
	}
	if page.none() && s.window.dialog {
		return browser.Tab{}, facts.Unavailable("the browser's window in front shows no page", "close it, or go to a window with a page")
	}
	if page.none() {
		return browser.Tab{}, facts.Unavailable("the browser shows no page on the accessibility bus", "run "+turnOn+", then start the browser again")
	}
	warm.keepPage(since, s, page)
	return t, nil
}

// samePage reads a page, if it is the first that shows now and its window, whose
// name comes with it, calls itself active, all in one row of calls.
func (s scene) samePage(ctx context.Context, page node) (t browser.Tab, window string, same bool) {
	state, name := s.states(ctx, s.top), s.name(ctx, s.top)
	first := s.startMatch(ctx, s.top, 1<<stateShowing, []uint32{roleDocumentWeb}, 1)
	read := s.startPage(ctx, page)
	hits, err := result[[]node](first)
	t, ok := read.tab()
	is, unknown := statesOf(state)
	window, unnamed := variant[string](name)
	err = cmp.Or(err, unknown, unnamed)
	return t, window, ok && err == nil && is.has(stateActive) && len(hits) == 1 && hits[0] == page
}

// webDocument finds the page that shows; none if there is none. Browsers build
// their tree when it is first walked, so an empty answer is not the last word.
func (s scene) webDocument(ctx context.Context) (browser.Tab, node, error) {
	hits, err := s.match(ctx, s.top, 1<<stateShowing, []uint32{roleDocumentWeb}, 4)
	if err == nil {
		if t, page := s.documentTab(ctx, hits); !page.none() {
			return t, page, nil
		}
	}
	if ctx.Err() != nil {
		return browser.Tab{}, node{}, ctx.Err()
	}
	elements, _, err := s.walk(ctx)
	if err != nil {
		return browser.Tab{}, node{}, err
	}
	hits = nil
	for _, e := range elements {
		if e.role == roleDocumentWeb && e.states.has(stateShowing) {
			hits = append(hits, e.node)
		}
	}
	t, page := s.documentTab(ctx, hits)
	return t, page, nil
}

// documentTab reads the first page that has an address; pages inside pages come
// after it.
func (s scene) documentTab(ctx context.Context, pages []node) (browser.Tab, node) {
	for _, page := range pages {
		if t, ok := s.startPage(ctx, page).tab(); ok {
			return t, page
		}
	}
	return browser.Tab{}, node{}
}

// pageCalls are under way to a page.
type pageCalls struct{ attributes, name *dbus.Call }

func (s scene) startPage(ctx context.Context, page node) pageCalls {
	return pageCalls{s.start(ctx, page, atspi+"Document.GetAttributes"), s.name(ctx, page)}
}

// tab waits for the answers; false if the page has no address.
func (p pageCalls) tab() (browser.Tab, bool) {
	attributes, err := result[map[string]string](p.attributes)
	t := browser.Tab{URL: attributes["DocURL"], Title: text(variant[string](p.name))} // Firefox
	if t.URL == "" {
		t.URL = attributes["URI"] // Chromium
	}
	if given := attributes["Title"]; given != "" {
		t.Title = given
	}
	return t, err == nil && t.URL != ""
}

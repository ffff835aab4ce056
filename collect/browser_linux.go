package collect

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

func (w window) isBrowser() bool {
	name := strings.ToLower(w.process + " " + w.class)
	return isChromium(name) || isFirefox(name)
}

// activeTab reads the accessibility bus.
func (s scene) activeTab(ctx context.Context) (tab, error) {
	t, ok, err := s.webDocument(ctx)
	if err != nil {
		return tab{}, hung(ctx, err)
	}
	if !ok && s.window.dialog {
		return tab{}, facts.Unavailable("the browser's window in front shows no page", "close it, or go to a window with a page")
	}
	if !ok {
		return tab{}, facts.Unavailable("the browser shows no page on the accessibility bus", "run "+turnOn+", then start the browser again")
	}
	return t, nil
}

// webDocument finds the page that shows. Browsers build their tree when it is
// first walked, so an empty answer is not the last word.
func (s scene) webDocument(ctx context.Context) (tab, bool, error) {
	hits, err := s.match(ctx, s.top, 1<<stateShowing, []uint32{roleDocumentWeb}, 4)
	if err == nil {
		if t, ok := s.documentTab(ctx, hits); ok {
			return t, true, nil
		}
	}
	if ctx.Err() != nil {
		return tab{}, false, ctx.Err()
	}
	elements, _, err := s.walk(ctx)
	if err != nil {
		return tab{}, false, err
	}
	hits = nil
	for _, e := range elements {
		if e.role == roleDocumentWeb && e.states.has(stateShowing) {
			hits = append(hits, e.node)
		}
	}
	t, ok := s.documentTab(ctx, hits)
	return t, ok, nil
}

// documentTab reads the address of the first page that has one; pages inside
// pages come after it.
func (s scene) documentTab(ctx context.Context, pages []node) (tab, bool) {
	for _, page := range pages {
		call := s.start(ctx, page, atspi+"Document.GetAttributes")
		nameCall := s.name(ctx, page)
		attributes, err := result[map[string]string](call)
		title := text(variant[string](nameCall))
		if err != nil {
			continue
		}
		address := attributes["DocURL"] // Firefox
		if address == "" {
			address = attributes["URI"] // Chromium
		}
		if address == "" {
			continue
		}
		if given := attributes["Title"]; given != "" {
			title = given
		}
		return tab{url: address, title: title}, true
	}
	return tab{}, false
}

package collect

import (
	"context"
	"errors"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// browser reads the active tab of the browser in front over the accessibility
// bus (CF §16.2).
type browser struct{ *desktop }

func (browser) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "linux.browser", Serves: []string{"extra.browser"}, Permission: "accessibility"}
}

func (b browser) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return b.present() }

func (b browser) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	w, ok, err := b.frontBrowser(ctx)
	if err != nil {
		return facts.Part{}, err
	}
	if !ok {
		return facts.Part{}.With("extra.browser", facts.Value{}), nil
	}
	s, err := b.sceneOf(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	tab, ok, err := s.webDocument(ctx)
	if err != nil {
		return facts.Part{}, hung(ctx, err)
	}
	if !ok {
		return facts.Part{}, facts.Unavailable("the browser shows no page on the accessibility bus", "run "+turnOn+", then start the browser again")
	}
	if request.Needs.Wants(tabPage) {
		tab.lack = "the browser tells its address and its title, not the page itself"
		tab.remedy = "pages are read from a Chromium that was started with --remote-debugging-port=0 and a --user-data-dir of its own"
	}
	return tab.part(), nil
}

// frontBrowser is the window in front, if it is a browser's.
func (d *desktop) frontBrowser(ctx context.Context) (window, bool, error) {
	w, err := d.front(ctx)
	if errors.Is(err, errNoWindow) {
		return window{}, false, nil
	}
	name := strings.ToLower(w.process + " " + w.class)
	return w, err == nil && (isChromium(name) || isFirefox(name)), err
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

// Package browser is what is told of a browser's tab, and which programs are
// browsers. Nothing here speaks to a browser:
//
//	devtools          the debugging port of a Chromium, if it was started with one ─┐
//	atspi, uia, ax    the window's page, as assistive programs are told it         ─┼→ Tab → Part
//	macos             the scripting of macOS                                       ─┘
//
// Use [Tab.Part] first.
package browser

import (
	"net/url"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// Tab is a page in a browser.
type Tab struct {
	URL, Title string
	HTML       string // the page itself, where it was asked for and could be read
	Lack       string // why html is not there although it was asked for
	remedy     string // what the user can do about that
}

// PagePath is the path of the page itself.
const PagePath = "extra.browser.active_tab.html"

// Part makes the object extra.browser.
func (t Tab) Part() facts.Part {
	address := WithoutUser(t.URL)
	fields := []facts.Field{{Name: "url", Value: facts.Text(address)}, {Name: "title", Value: facts.Text(t.Title)}}
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		fields = append(fields, facts.Field{Name: "domain", Value: facts.Text(u.Hostname())})
	}
	summary := "1 tab"
	if t.HTML != "" {
		fields = append(fields, facts.Field{Name: "html", Value: facts.Text(t.HTML)})
		summary += " with its page"
	}
	part := facts.Part{}.With("extra.browser.active_tab", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.browser": summary}
	if t.Lack != "" {
		part.Lacks = []facts.Lack{{Path: PagePath, Reason: t.Lack, Remedy: t.remedy}}
	}
	return part
}

// WithoutUser is an address without the name and the password that may stand
// before its host, as browsers show it.
func WithoutUser(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok || strings.ContainsAny(scheme, "/?#, ") { // schemes may stand in each other, as in view-source:http://
		return address
	}
	host := rest
	if end := strings.IndexAny(rest, "/?#\\"); end >= 0 {
		host = rest[:end]
	}
	at := strings.LastIndexByte(host, '@')
	return scheme + "://" + rest[at+1:]
}

// WithoutPage says that the page itself is missing, if somebody wants it, and
// what the user can do about that.
func (t Tab) WithoutPage(request facts.Request, remedy string) Tab {
	if request.Needs.Wants(PagePath) {
		t.Lack, t.remedy = "the browser tells its address and its title, not the page itself", remedy
	}
	return t
}

package collect

import (
	"net/url"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// tab is a page in a browser.
type tab struct {
	url, title string
	html       string // the page itself, where it was asked for and could be read
	lack       string // why html is not there although it was asked for
	remedy     string // what the user can do about that
}

// tabPage is the path of the page itself.
const tabPage = "extra.browser.active_tab.html"

// part makes the object extra.browser.
func (t tab) part() facts.Part {
	address := withoutUser(t.url)
	fields := []facts.Field{{Name: "url", Value: facts.Text(address)}, {Name: "title", Value: facts.Text(t.title)}}
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		fields = append(fields, facts.Field{Name: "domain", Value: facts.Text(u.Hostname())})
	}
	summary := "1 tab"
	if t.html != "" {
		fields = append(fields, facts.Field{Name: "html", Value: facts.Text(t.html)})
		summary += " with its page"
	}
	part := facts.Part{}.With("extra.browser.active_tab", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.browser": summary}
	if t.lack != "" {
		part.Lacks = []facts.Lack{{Path: tabPage, Reason: t.lack, Remedy: t.remedy}}
	}
	return part
}

// withoutUser is an address without the name and the password that may stand
// before its host, as browsers show it.
func withoutUser(address string) string {
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

// withoutPage says that the page itself is missing, if somebody wants it, and
// what the user can do about that.
func (t tab) withoutPage(request facts.Request, remedy string) tab {
	if request.Needs.Wants(tabPage) {
		t.lack, t.remedy = "the browser tells its address and its title, not the page itself", remedy
	}
	return t
}

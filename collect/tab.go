package collect

import (
	"net/url"

	"github.com/pertain-dev/pertain/facts"
)

// tab is a page in a browser.
type tab struct{ url, title string }

// part makes the object extra.browser. The page itself is not read: matching
// needs none of it.
func (t tab) part() facts.Part {
	fields := []facts.Field{{Name: "url", Value: facts.Text(t.url)}, {Name: "title", Value: facts.Text(t.title)}}
	if u, err := url.Parse(t.url); err == nil && u.Hostname() != "" {
		fields = append(fields, facts.Field{Name: "domain", Value: facts.Text(u.Hostname())})
	}
	part := facts.Part{}.With("extra.browser.active_tab", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.browser": "1 tab"}
	return part
}

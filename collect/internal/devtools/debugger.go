//go:build linux || windows

package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/browser"
)

// debugger speaks to a debugging port of this machine, and to nothing else,
// whatever address it is told.
type debugger struct {
	client *http.Client
	base   string
	last   *atomic.Pointer[string] // id of the page that showed last; nil: nobody notes it
	worlds *worlds                 // nil: they are not kept
}

func newDebugger(port int) debugger {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", address)
	}
	refuse := func(*http.Request, []*http.Request) error { return errors.New("no redirects") }
	return debugger{
		client: &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}, CheckRedirect: refuse},
		base:   address,
	}
}

// page is an entry of the port's list.
type page struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// maxPages is how many tabs are asked whether they show; the list begins with
// the one that was used last.
const maxPages = 12

// tab is what is told of a page; withPage, also its HTML.
func (d debugger) tab(ctx context.Context, p page, withPage bool) browser.Tab {
	t := browser.Tab{URL: p.URL, Title: p.Title}
	if withPage {
		t.HTML, t.Lack = d.html(ctx, p.ID)
	}
	return t
}

// errNoPage is the answer where it is not certain that a page is the one that
// shows in the window in front.
var errNoPage = errors.New("no page is certainly that of the window")

// activePage is the entry of the page that shows in the window in front, whose
// title says which. Of several with that title it is the one with the keyboard.
//
// The one that showed last is asked while the list is on its way: where it has
// the keyboard, nobody else is asked.
func (d debugger) activePage(ctx context.Context, windowTitle string) (page, error) {
	if d.last == nil {
		return d.findPage(ctx, windowTitle, "", nil)
	}
	last, still := d.last.Load(), make(chan bool, 1)
	if last == nil {
		last = new(string)
	} else {
		go func() {
			_, focused, err := d.visibility(ctx, *last)
			still <- focused && err == nil
		}()
	}
	p, err := d.findPage(ctx, windowTitle, *last, still)
	if err == nil {
		d.last.Store(&p.ID)
	}
	return p, err
}

// findPage is activePage; still tells whether the page with the id last has the
// keyboard.
func (d debugger) findPage(ctx context.Context, windowTitle, last string, still <-chan bool) (page, error) {
	pages, err := d.pages(ctx)
	if err != nil {
		return page{}, err
	}
	pages = slices.DeleteFunc(pages, func(p page) bool { return !p.titles(windowTitle) })
	if len(pages) > maxPages {
		return page{}, errNoPage
	}
	if at := slices.IndexFunc(pages, func(p page) bool { return last != "" && p.ID == last }); at >= 0 && <-still {
		return pages[at], nil
	}
	var shown []page
	var failed error
	for _, p := range pages {
		visible, focused, err := d.visibility(ctx, p.ID)
		switch {
		case err != nil:
			failed = err // one that hangs may be the one
		case focused:
			return p, nil
		case visible:
			shown = append(shown, p)
		}
	}
	switch {
	case len(shown) == 1 && failed == nil:
		return shown[0], nil
	case len(pages) == 1 && failed != nil: // the page itself hangs, and no other has the title
		return pages[0], nil //nolint:nilerr // its address and title are known
	case failed != nil:
		return page{}, failed
	}
	return page{}, errNoPage
}

// titles tells whether a window's title is that of the page, with the name of
// the browser after it: " - Chromium", in Edge also " and 2 more pages - Edge".
func (p page) titles(window string) bool {
	title := strings.Join(strings.Fields(p.Title), " ")
	rest, ok := strings.CutPrefix(strings.Join(strings.Fields(window), " "), title)
	if !ok || title == "" {
		return false
	}
	if more, ok := strings.CutPrefix(rest, " and "); ok {
		count, _, _ := strings.Cut(more, " ")
		_, err := strconv.Atoi(count)
		return err == nil
	}
	return rest == "" || strings.HasPrefix(rest, " - ") || strings.HasPrefix(rest, " – ") || strings.HasPrefix(rest, " — ")
}

func (d debugger) pages(ctx context.Context) ([]page, error) {
	var all []page
	if err := d.get(ctx, "/json/list", &all); err != nil {
		return nil, err
	}
	var pages []page
	for _, p := range all {
		if p.Type == "page" {
			p.Title = html.UnescapeString(p.Title) // the list is made to be shown in a page
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// get reads what the port says at a path.
func (d debugger) get(ctx context.Context, path string, to any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.base+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := d.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	return json.NewDecoder(http.MaxBytesReader(nil, response.Body, 4<<20)).Decode(to)
}

// visibility asks a page whether it shows and whether it has the keyboard.
func (d debugger) visibility(ctx context.Context, id string) (visible, focused bool, err error) {
	said, err := d.evaluate(ctx, id, "document.visibilityState + ' ' + document.hasFocus()", 1<<16)
	return strings.HasPrefix(said, "visible"), strings.HasSuffix(said, "true"), err
}

// Limits of reading a page.
const (
	maxPage    = 4 << 20               // UTF-16 units of HTML
	pageTime   = 60 * time.Millisecond // left for it in the time limit at least; with less, it is not begun
	pageMargin = 10 * time.Millisecond // before the time limit, so that address and title are not lost with the page
)

// withoutPasswords gives a page's HTML. What is typed into a password field
// stands in no attribute, unless the page itself was written with it. Documents
// that stand in attributes, and what is there for browsers without scripts, are
// text here, in which no field can be found: they are left out.
const withoutPasswords = `(() => {
	const copy = document.documentElement.cloneNode(true);
	const clean = root => {
		root.querySelectorAll('input[type=password i], input[autocomplete*=password i]').forEach(field => field.removeAttribute('value'));
		root.querySelectorAll('[srcdoc]').forEach(frame => frame.removeAttribute('srcdoc'));
		for (const name of ['src', 'data', 'href'])
			root.querySelectorAll('iframe, frame, object, embed, a').forEach(e => { if (/^\s*data:/i.test(e.getAttribute(name) || '')) e.removeAttribute(name); });
		root.querySelectorAll('noscript').forEach(e => e.replaceChildren());
		root.querySelectorAll('template').forEach(e => clean(e.content));
	};
	clean(copy);
	const text = copy.outerHTML;
	return text.length > %d ? 'large' : 'page' + text;
})()`

// html reads a page as it is now. lack says why there is none.
func (d debugger) html(ctx context.Context, id string) (text, lack string) {
	if deadline, limited := ctx.Deadline(); limited {
		if time.Until(deadline) < pageTime {
			return "", "there was no time left to read the page"
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-pageMargin))
		defer cancel()
	}
	expression := fmt.Sprintf(withoutPasswords, maxPage)
	said, err := d.evaluate(ctx, id, expression, 8*maxPage)
	switch page, ok := strings.CutPrefix(said, "page"); {
	case err == nil && ok:
		return strings.ToValidUTF8(page, ""), ""
	case ctx.Err() != nil:
		return "", "the page took too long to read"
	case said == "large":
		return "", "the page is larger than what is read of one"
	}
	return "", "the browser did not give the page"
}

//go:build linux || windows

package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// debugger speaks to a debugging port of this machine, and to nothing else,
// whatever address it is told.
type debugger struct {
	client *http.Client
	base   string
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

// activeTab is the page that shows in the window in front; withPage, also its
// HTML.
func (d debugger) activeTab(ctx context.Context, windowTitle string, withPage bool) (tab, error) {
	p, err := d.activePage(ctx, windowTitle)
	if err != nil {
		return tab{}, err
	}
	t := tab{url: p.URL, title: p.Title}
	if withPage {
		t.html, t.lack = d.html(ctx, p.ID)
	}
	return t, nil
}

// activePage is the entry of the page that shows in the window in front.
func (d debugger) activePage(ctx context.Context, windowTitle string) (page, error) {
	pages, err := d.pages(ctx)
	if err != nil {
		return page{}, err
	}
	best, weight := page{}, -1
	for _, p := range pages[:min(len(pages), maxPages)] {
		visible, focused, err := d.visibility(ctx, p.ID)
		w := 0
		switch {
		case err != nil:
		case focused:
			w = 3
		case visible && p.Title != "" && strings.HasPrefix(windowTitle, p.Title):
			w = 2
		case visible:
			w = 1
		}
		if w > weight {
			best, weight = p, w
		}
		if focused {
			break
		}
	}
	if weight < 0 {
		return page{}, errors.New("there is no page")
	}
	return best, nil
}

func (d debugger) pages(ctx context.Context) ([]page, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.base+"/json/list", http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := d.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var all []page
	if err := json.NewDecoder(http.MaxBytesReader(nil, response.Body, 4<<20)).Decode(&all); err != nil {
		return nil, err
	}
	var pages []page
	for _, p := range all {
		if p.Type == "page" {
			pages = append(pages, p)
		}
	}
	return pages, nil
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

// html reads a page as it is now. lack says why there is none.
func (d debugger) html(ctx context.Context, id string) (html, lack string) {
	if deadline, limited := ctx.Deadline(); limited {
		if time.Until(deadline) < pageTime {
			return "", "there was no time left to read the page"
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-pageMargin))
		defer cancel()
	}
	// What is typed into a password field stands in no attribute, unless the
	// page itself was written with it.
	expression := fmt.Sprintf(`(() => { const copy = document.documentElement.cloneNode(true);
		copy.querySelectorAll('input[type=password i]').forEach(field => field.removeAttribute('value'));
		const text = copy.outerHTML; return text.length > %d ? 'large' : 'page' + text })()`, maxPage)
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

// evaluate runs an expression in a page, of which at most limit bytes come
// back. It must not change anything there.
func (d debugger) evaluate(ctx context.Context, id, expression string, limit int64) (string, error) {
	conn, response, err := websocket.Dial(ctx, "ws://"+d.base+"/devtools/page/"+id, &websocket.DialOptions{HTTPClient: d.client})
	if response != nil && response.Body != nil {
		defer func() { _ = response.Body.Close() }()
	}
	if err != nil {
		return "", err
	}
	defer conn.CloseNow() //nolint:errcheck // nothing is lost with it
	conn.SetReadLimit(limit)
	call := map[string]any{"id": 1, "method": "Runtime.evaluate", "params": map[string]any{"expression": expression, "returnByValue": true}}
	data, err := json.Marshal(call)
	if err != nil {
		return "", err
	}
	if err := conn.Write(ctx, websocket.MessageText, data); err != nil {
		return "", err
	}
	for range 32 { // events may come first
		_, data, err := conn.Read(ctx)
		if err != nil {
			return "", err
		}
		var answer struct {
			ID     int `json:"id"`
			Result struct {
				Result struct {
					Value any `json:"value"`
				} `json:"result"`
			} `json:"result"`
		}
		if json.Unmarshal(data, &answer) != nil || answer.ID != 1 {
			continue
		}
		return fmt.Sprint(answer.Result.Result.Value), nil
	}
	return "", errors.New("the page does not answer")
}

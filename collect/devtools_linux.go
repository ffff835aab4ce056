package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/coder/websocket"

	"github.com/pertain-dev/pertain/facts"
)

// devTools reads the active tab of a Chromium that the user has started with a
// debugging port. It comes before the accessibility bus, since it is sure which
// tab is active.
type devTools struct{ *desktop }

func (devTools) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "browser.devtools", Serves: []string{"extra.browser"}}
}

func (d devTools) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	return d.present()
}

func (d devTools) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	w, ok, err := d.frontBrowser(ctx)
	if err != nil || !ok || w.pid == 0 {
		return facts.Part{}, nil //nolint:nilerr // the next collector says what is wrong
	}
	port, ok := debuggingPort(w.pid)
	if !ok {
		return facts.Part{}, nil
	}
	t, err := newDebugger(port).activeTab(ctx, w.title)
	if err != nil {
		return facts.Part{}, &facts.CollectError{Code: "extra.provider_failed", Reason: "the browser's debugging port does not answer", Err: err}
	}
	return t.part(), nil
}

// debuggingPort finds the port in the browser's own command line; 0 there means
// that the browser chose one and wrote it down.
func debuggingPort(pid int) (int, bool) {
	data, err := os.ReadFile(procPath(pid, "cmdline"))
	if err != nil {
		return 0, false
	}
	port, profile := -1, ""
	for _, arg := range bytes.FieldsFunc(data, func(r rune) bool { return r == 0 || r == ' ' }) {
		if v, ok := strings.CutPrefix(string(arg), "--remote-debugging-port="); ok {
			if n, err := strconv.Atoi(v); err == nil {
				port = n
			}
		}
		if v, ok := strings.CutPrefix(string(arg), "--user-data-dir="); ok {
			profile = v
		}
	}
	if port == 0 && profile != "" {
		if line, err := readHead(filepath.Join(profile, "DevToolsActivePort")); err == nil {
			if n, err := strconv.Atoi(line); err == nil {
				port = n
			}
		}
	}
	return port, port > 0 && port < 1<<16
}

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

// activeTab is the page that shows in the window in front.
func (d debugger) activeTab(ctx context.Context, windowTitle string) (tab, error) {
	pages, err := d.pages(ctx)
	if err != nil {
		return tab{}, err
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
		return tab{}, errors.New("there is no page")
	}
	return tab{url: best.URL, title: best.Title}, nil
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
	conn, response, err := websocket.Dial(ctx, "ws://"+d.base+"/devtools/page/"+id, &websocket.DialOptions{HTTPClient: d.client})
	if response != nil && response.Body != nil {
		defer func() { _ = response.Body.Close() }()
	}
	if err != nil {
		return false, false, err
	}
	defer conn.CloseNow() //nolint:errcheck // nothing is lost with it
	const call = `{"id":1,"method":"Runtime.evaluate","params":{"expression":"document.visibilityState + ' ' + document.hasFocus()"}}`
	if err := conn.Write(ctx, websocket.MessageText, []byte(call)); err != nil {
		return false, false, err
	}
	for range 32 { // events may come first
		_, data, err := conn.Read(ctx)
		if err != nil {
			return false, false, err
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
		said := fmt.Sprint(answer.Result.Result.Value)
		return strings.HasPrefix(said, "visible"), strings.HasSuffix(said, "true"), nil
	}
	return false, false, errors.New("the page does not answer")
}

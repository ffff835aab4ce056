//go:build linux || windows

package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// fakePort is a browser's debugging port: its list, and what each page says of
// itself; a page that is not there hangs.
func fakePort(t *testing.T, list string, says map[string]string) debugger {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/json/list", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(list)) })
	mux.HandleFunc("/devtools/page/{id}", func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		id := r.PathValue("id")
		said, ok := says[id]
		for {
			_, data, err := conn.Read(r.Context())
			if err != nil {
				return
			}
			if ok {
				_ = conn.Write(r.Context(), websocket.MessageText, fakePage(id, data, said))
			}
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return newDebugger(server.Listener.Addr().(*net.TCPAddr).Port)
}

// fakeWorld is the isolated world of a fake page.
const fakeWorld = 7

// fakePage answers a call: what the page truly says in the isolated world, and
// elsewhere what it would like to be.
func fakePage(id string, call []byte, said string) []byte {
	var asked struct {
		ID     int
		Method string
		Params struct {
			FrameID   string
			ContextID int
		}
	}
	_ = json.Unmarshal(call, &asked)
	var result string
	switch {
	case asked.Method == "Page.createIsolatedWorld" && asked.Params.FrameID == "frame of "+id:
		result = fmt.Sprintf(`"result":{"executionContextId":%d}`, fakeWorld)
	case asked.Method == "Page.getFrameTree":
		result = fmt.Sprintf(`"result":{"frameTree":{"frame":{"id":"frame of %s"}}}`, id)
	case asked.Method == "Runtime.evaluate" && asked.Params.ContextID == fakeWorld:
		result = fmt.Sprintf(`"result":{"result":{"value":%q}}`, said)
	case asked.Method == "Runtime.evaluate" && asked.Params.ContextID == 0:
		result = `"result":{"result":{"value":"visible true"}}`
	default:
		result = `"error":{"code":-32000,"message":"no"}`
	}
	return fmt.Appendf(nil, `{"id":%d,%s}`, asked.ID, result)
}

// TestWorlds: a world is made once for a page, and again when it is gone with
// what the page showed before.
func TestWorlds(t *testing.T) {
	d := fakePort(t, `[]`, map[string]string{"a": "visible true"})
	d.worlds = &worlds{}
	for _, known := range []int{0, fakeWorld, 3} {
		if known != 0 {
			d.worlds.keep("a", known)
		}
		if visible, focused, err := d.visibility(t.Context(), "a"); !visible || !focused || err != nil {
			t.Errorf("%d: %v %v %v", known, visible, focused, err)
		}
		if world, ok := d.worlds.of("a"); !ok || world != fakeWorld {
			t.Errorf("%d: kept %d %v", known, world, ok)
		}
	}
	for i := range 2 * maxWorlds {
		d.worlds.keep(fmt.Sprint(i), i)
	}
	if n := len(d.worlds.made); n > maxWorlds {
		t.Errorf("%d worlds are kept", n)
	}
}

// TestPrivatePage: a page of another than the browser's usual context is told by
// nobody, nor one of which the browser does not say so.
func TestPrivatePage(t *testing.T) {
	const list = `[{"id":"a","type":"page","title":"Page","url":"http://a/"}]`
	for _, tt := range []struct {
		contexts, targets string
		told, asked       bool
	}{
		{`"result":{"defaultBrowserContextId":"D","browserContextIds":[]}`, `"result":{"targetInfos":[{"targetId":"a","browserContextId":"D"}]}`, false, false},
		{`"result":{"defaultBrowserContextId":"D"}`, `"result":{"targetInfos":[{"targetId":"a","browserContextId":"P"}]}`, true, true},
		{`"result":{"defaultBrowserContextId":"D"}`, `"result":{"targetInfos":[]}`, true, true},
		{`"result":{"browserContextIds":[]}`, `"result":{"targetInfos":[]}`, false, true},
		{`"error":{"code":-32601}`, `"result":{"targetInfos":[]}`, false, true},
	} {
		d := fakePort(t, list, map[string]string{"a": "visible true"})
		d.base = fakeBrowser(t, d.base, map[string]string{"Target.getBrowserContexts": tt.contexts, "Target.getTargets": tt.targets})
		d.client = http.DefaultClient
		errPrivate := errors.New("private")
		asked := false
		part, err := portTab(t.Context(), d, "Page", false, func(told bool) error {
			asked = true
			if told != tt.told {
				t.Errorf("%+v: told %v", tt, told)
			}
			return &facts.CollectError{Code: diag.ExtraPermissionUnavailable, Err: errPrivate}
		})
		if asked != tt.asked || errors.Is(err, errPrivate) != tt.asked || !tt.asked && part.Values.IsAbsent() {
			t.Errorf("%+v: asked %v, %v, %v", tt, asked, part, err)
		}
	}
}

// fakeBrowser puts the browser's own answers before those of a port.
func fakeBrowser(t *testing.T, port string, answers map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/json/version", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"webSocketDebuggerUrl":"ws://elsewhere.example/devtools/browser/x"}`)
	})
	mux.HandleFunc("/devtools/browser/x", func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		for {
			_, data, err := conn.Read(r.Context())
			if err != nil {
				return
			}
			var asked struct {
				ID     int
				Method string
			}
			_ = json.Unmarshal(data, &asked)
			_ = conn.Write(r.Context(), websocket.MessageText, fmt.Appendf(nil, `{"id":%d,%s}`, asked.ID, answers[asked.Method]))
		}
	})
	mux.Handle("/", httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: port}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func TestActivePage(t *testing.T) {
	const list = `[{"id":"a","type":"page","title":"Login","url":"http://a/"},{"id":"b","type":"page","title":"Login","url":"http://b/"},
		{"id":"c","type":"page","title":"Tom &amp; Jerry","url":"http://c/"},{"id":"d","type":"page","title":"Hangs","url":"http://d/"},
		{"id":"e","type":"browser_ui","title":"Open File","url":"chrome://x/"}]`
	for _, tt := range []struct {
		title, a, b, want string
	}{
		{"Login - Chromium", "visible false", "visible true", "http://b/"},
		{"Login - Chromium", "visible false", "hidden false", "http://a/"},
		{"Login - Chromium", "visible false", "visible false", ""}, // in two windows, and the keyboard is elsewhere
		{"Login - Chromium", "hidden false", "hidden false", ""},
		{"Login", "hidden false", "visible false", "http://b/"},
		{"Tom & Jerry - Chromium", "visible true", "visible true", "http://c/"},
		{"Hangs - Chromium", "visible true", "visible true", "http://d/"},
		{"Open File", "visible true", "visible true", ""},
		{"Logins - Chromium", "visible true", "visible true", ""},
		{"Login required", "visible true", "visible true", ""},
		{"Login and 2 more pages - Personal - Microsoft Edge", "visible true", "visible true", "http://a/"},
		{"", "visible true", "visible true", ""},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		p, err := fakePort(t, list, map[string]string{"a": tt.a, "b": tt.b, "c": "visible false"}).activePage(ctx, tt.title)
		cancel()
		if p.URL != tt.want || (err != nil) != (tt.want == "") || err != nil && !errors.Is(err, errNoPage) {
			t.Errorf("%+v: %+v, %v", tt, p, err)
		}
	}
}

// TestLastPage: the page that showed last is told as long as it has the keyboard
// and the window its title, with the address it has now; otherwise what shows.
func TestLastPage(t *testing.T) {
	const list = `[{"id":"a","type":"page","title":"Login","url":"http://a/"},{"id":"b","type":"page","title":"Login","url":"http://b/"},
		{"id":"c","type":"page","title":"Other","url":"http://c/"}]`
	for _, tt := range []struct{ title, last, a, b, want string }{
		{"Login - Chromium", "b", "hidden false", "visible true", "http://b/"},
		{"Login - Chromium", "a", "hidden false", "visible true", "http://b/"}, // another tab of the same title
		{"Other - Chromium", "b", "hidden false", "visible true", "http://c/"}, // another window
		{"Login - Chromium", "gone", "visible true", "hidden false", "http://a/"},
		{"Login - Chromium", "a", "visible false", "hidden false", "http://a/"}, // somebody types an address
		{"Login - Chromium", "a", "visible false", "visible false", ""},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		d := fakePort(t, list, map[string]string{"a": tt.a, "b": tt.b, "c": "visible true"})
		d.last = &atomic.Pointer[string]{}
		d.last.Store(&tt.last)
		p, err := d.activePage(ctx, tt.title)
		cancel()
		if p.URL != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%+v: %+v, %v", tt, p, err)
		}
		if noted := *d.last.Load(); err == nil && noted != p.ID {
			t.Errorf("%+v: %s is noted", tt, noted)
		}
	}
}

// TestPortThatHangs: it leaves time for who is asked next, and says what it was.
func TestPortThatHangs(t *testing.T) {
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(gone) })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := portTab(ctx, newDebugger(server.Listener.Addr().(*net.TCPAddr).Port), "Page", true, nil)
	var failed *facts.CollectError
	if !errors.As(err, &failed) || failed.Code != diag.ExtraProviderTimeout || failed.Remedy == "" {
		t.Errorf("%v", err)
	}
	if ctx.Err() != nil {
		t.Error("no time is left")
	}
}

// TestPortThatLies: what is no list is a failure, not a page.
func TestPortThatLies(t *testing.T) {
	_, err := portTab(t.Context(), fakePort(t, strings.Repeat("x", 100), nil), "Page", false, nil)
	var failed *facts.CollectError
	if !errors.As(err, &failed) || failed.Code != diag.ExtraProviderFailed || failed.Remedy == "" {
		t.Errorf("%v", err)
	}
}

func TestWithoutUser(t *testing.T) {
	for in, want := range map[string]string{
		"http://bob:s3cr3t@example.org:8080/y?a=b@c#d@e":  "http://example.org:8080/y?a=b@c#d@e",
		"https://bob@example.org":                         "https://example.org",
		"https://a:b@c@example.org/":                      "https://example.org/",
		"view-source:http://bob:s3cr3t@example.org/":      "view-source:http://example.org/",
		"https://example.org/@user":                       "https://example.org/@user",
		"https://example.org?mail=a@b":                    "https://example.org?mail=a@b",
		"about:blank":                                     "about:blank",
		"mailto:a@b":                                      "mailto:a@b",
		"file:///home/a@b":                                "file:///home/a@b",
		"data:text/html,<a href=http://a:b@c/>":           "data:text/html,<a href=http://a:b@c/>",
		"https://example.org/login?next=http://a:b@c.org": "https://example.org/login?next=http://a:b@c.org",
		"": "",
	} {
		if got := browser.WithoutUser(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

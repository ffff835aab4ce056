package gateway_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// before puts a gateway before an upstream.
func before(t testing.TB, upstream http.Handler, change func(*gateway.Options)) *httptest.Server {
	t.Helper()
	model := httptest.NewServer(upstream)
	t.Cleanup(model.Close)
	address, err := url.Parse(model.URL)
	if err != nil {
		t.Fatal(err)
	}
	workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire)}
	to := gateway.Upstream{URL: address}
	options := gateway.Options{
		Workspace: func(string) *gateway.Workspace { return workspace },
		Settings:  func() gateway.Settings { return gateway.Settings{Anthropic: to, OpenAI: to, Gemini: to} },
	}
	if change != nil {
		change(&options)
	}
	server := httptest.NewServer(gateway.New(options))
	t.Cleanup(server.Close)
	return server
}

// TestErrorsPass: what the upstream refuses reaches clients as it is; headers for the gateway do not reach the upstream.
func TestErrorsPass(t *testing.T) {
	var asked *http.Request
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Clone(r.Context())
		w.Header().Set("Retry-After", "7")
		w.Header().Set("X-Pertain-Rules", "900")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, "slow\n  down")
	}), nil)
	for _, api := range apis {
		path, body := request(api, true, ">hello")
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
		r.Header.Set("X-Pertain-Conversation", "c")
		r.Header.Set("X-Api-Key", "k")
		r.Header.Set("Accept-Encoding", "br, zstd")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusTooManyRequests || string(text) != "slow\n  down" {
			t.Errorf("%s: %d %q", api, response.StatusCode, text)
		}
		if response.Header.Get("Retry-After") != "7" || response.Header.Get("X-Pertain-Rules") != "1" || response.Header.Get("X-Pertain-Error") != "" {
			t.Errorf("%s: %v", api, response.Header)
		}
		if asked.Header.Get("X-Pertain-Conversation") != "" || asked.Header.Get("X-Api-Key") != "k" || asked.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("%s: %v", api, asked.Header)
		}
	}
}

// TestRedirects: where an upstream sends clients for an answer of the model, nobody would watch it, so they are told of that. Anything
// else is passed on as it is. The same of the second answer.
func TestRedirects(t *testing.T) {
	for _, to := range []string{"/v1/other", "v1/other", "https://elsewhere.example/v1/messages"} {
		for _, answered := range []bool{false, true} {
			asked := 0
			server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked++; answered && asked == 1 {
					_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"`+violation+`"}],"choices":[{"message":{"content":"`+violation+`"}}],`+
						`"output":[{"type":"message","content":[{"type":"output_text","text":"`+violation+`"}]}],"candidates":[{"content":{"parts":[{"text":"`+violation+`"}]}}]}`)
					return
				}
				w.Header().Set("Location", to)
				w.WriteHeader(http.StatusTemporaryRedirect)
			}), nil)
			client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			do := func(path, body string) (int, http.Header) {
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
				response, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_ = response.Body.Close()
				return response.StatusCode, response.Header
			}
			for _, api := range apis {
				asked = 0
				path, body := request(api, false, ">hello")
				if status, header := do(path, body); status != http.StatusBadGateway || header.Get("X-Pertain-Error") != "upstream_redirect" || header.Get("Location") != "" {
					t.Errorf("%s to %s: %d %v", api, to, status, header)
				}
			}
			asked = 1
			if status, header := do("/v1/files", "{}"); status != http.StatusTemporaryRedirect || header.Get("Location") != to {
				t.Errorf("%s: %d %v", to, status, header)
			}
		}
	}
}

// TestOwnErrors: the gateway's own errors are in the form of the API, with a header.
func TestOwnErrors(t *testing.T) {
	server := before(t, http.NotFoundHandler(), func(o *gateway.Options) {
		nobody, _ := url.Parse("http://127.0.0.1:1/x")
		to := gateway.Upstream{URL: nobody}
		o.Settings = func() gateway.Settings { return gateway.Settings{Anthropic: to, OpenAI: to, Gemini: to} }
		o.Limits.Body = 1000
	})
	forms := map[modeltest.API]string{modeltest.Messages: `"type":"error"`, modeltest.Chat: `"code":`, modeltest.Responses: `"code":`, modeltest.Gemini: `"status":`}
	for _, api := range apis {
		path, body := request(api, true, ">hello")
		for _, c := range []struct {
			code   string
			status int
			body   string
			header map[string]string
		}{
			{"upstream_unreachable", 502, body, nil},
			{"too_large", 413, body + strings.Repeat(" ", 2000), nil},
			{"upgrade", 426, body, map[string]string{"Upgrade": "websocket"}},
			{"origin", 403, body, map[string]string{"Origin": "null"}},
			{"encoding", 415, body, map[string]string{"Content-Encoding": "br"}},
		} {
			r := post(t, server.URL+path, c.body, api, c.header)
			if r.status != c.status || r.header.Get("X-Pertain-Error") != c.code || !strings.Contains(r.raw, forms[api]) || !json.Valid([]byte(r.raw)) {
				t.Errorf("%s %s: %d %v %s", api, c.code, r.status, r.header, r.raw)
			}
		}
	}
}

// TestOtherPaths: everything else goes to the upstream that knows it, with prefixes.
func TestOtherPaths(t *testing.T) {
	upstream := func(name string) (*url.URL, func()) {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, "%s %s %s", name, r.Method, r.RequestURI)
		}))
		u, _ := url.Parse(s.URL)
		return u, s.Close
	}
	anthropic, close1 := upstream("anthropic")
	openAI, close2 := upstream("openai")
	gemini, close3 := upstream("gemini")
	defer close1()
	defer close2()
	defer close3()
	anthropic.Path, openAI.Path, gemini.Path = "/prefix/", "/api/v1", ""
	server := before(t, http.NotFoundHandler(), func(o *gateway.Options) {
		o.Settings = func() gateway.Settings {
			return gateway.Settings{Anthropic: gateway.Upstream{URL: anthropic}, OpenAI: gateway.Upstream{URL: openAI}, Gemini: gateway.Upstream{URL: gemini, Without: "/v1beta"}}
		}
	})
	for _, c := range []struct{ method, path, header, want string }{
		{"GET", "/v1/models?x=1", "", "openai GET /api/v1/models?x=1"},
		{"GET", "/v1/models", "Anthropic-Version", "anthropic GET /prefix/v1/models"},
		{"POST", "/v1/messages/count_tokens", "", "anthropic POST /prefix/v1/messages/count_tokens"},
		{"POST", "/v1/embeddings", "", "openai POST /api/v1/embeddings"},
		{"GET", "/v1beta/models", "", "gemini GET /models"},
		{"GET", "/files", "X-Goog-Api-Key", "gemini GET /files"},
		{"GET", "/w/x/v1/models", "", "openai GET /api/v1/models"},
		{"GET", "/v1/models/org%2Fname%20x%3F?a=%2F", "", "openai GET /api/v1/models/org%2Fname%20x%3F?a=%2F"},
		{"GET", "/w/x%2Fy/v1/models/a%2fb", "", "openai GET /api/v1/models/a%2fb"},
		{"GET", "/v1beta/models/tuned%2Fm", "", "gemini GET /models/tuned%2Fm"},
		{"GET", "//v1//models/", "Anthropic-Version", "anthropic GET /prefix//v1//models/"},
		{"GET", "/v1/files/a(b)'c!*:~@$&+,;=", "", "openai GET /api/v1/files/a(b)'c!*:~@$&+,;="},
		{"DELETE", "/v1/threads/t/messages", "", "openai DELETE /api/v1/threads/t/messages"},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, nil)
		if c.header != "" {
			r.Header.Set(c.header, "x")
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if string(text) != c.want {
			t.Errorf("%s %s: %s", c.method, c.path, text)
		}
	}
}

// TestOddPaths: an address with doubled slashes, one at its end, or escapes that it does
// not need is watched like the plain one.
func TestOddPaths(t *testing.T) {
	for _, path := range []string{"//v1/messages", "/v1/messages/", "/v1%2Fmessages", "/v1/%6dessages", "//v1//chat/completions", "/v1/responses/"} {
		asked := 0
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if asked++; asked == 1 {
				_, _ = fmt.Fprintf(w, `{"content":[{"type":"text","text":%q}],"choices":[{"message":{"content":%q}}],"output":[{"type":"message","content":[{"text":%q}]}]}`, violation, violation, violation)
				return
			}
			_, _ = io.WriteString(w, "{}")
		}), nil)
		_, body := request(modeltest.Messages, false, ">hello")
		if r := post(t, server.URL+path, body, modeltest.Messages, nil); r.hasViolation() || asked != 2 {
			t.Errorf("%s: %d %q", path, asked, r.raw)
		}
	}
}

// TestGzip: an upstream that compresses what nobody asked to be compressed is watched
// all the same.
func TestGzip(t *testing.T) {
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := "Say " + violation
		if strings.Contains(string(body), "system-interrupt") {
			text = "Better."
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = fmt.Fprintf(z, `{"content":[{"type":"text","text":%q}]}`, text)
		_ = z.Close()
	}), nil)
	if r := ask(t, server.URL, modeltest.Messages, false, nil, ">hello"); r.texts != "Better." || r.header.Get("Content-Encoding") != "" {
		t.Errorf("%q %v", r.raw, r.header)
	}
}

// TestAtOnce: an event that no rule needs is there before the upstream says more, and
// one that is held comes as soon as it is clear that it is no violation.
func TestAtOnce(t *testing.T) {
	more := make(chan string)
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for text := range more {
			if text == "end" {
				break
			}
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}), nil)
	path, body := request(modeltest.Chat, true, ">hello")
	go func() { more <- "a plain word" }()
	response, err := http.Post(server.URL+path, "application/json", strings.NewReader(body)) //nolint:noctx // on the loopback
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	next := func() string {
		for lines.Scan() {
			if lines.Text() != "" {
				return lines.Text()
			}
		}
		return ""
	}
	if got := next(); !strings.Contains(got, "a plain word") {
		t.Errorf("%q", got)
	}
	more <- "nearly ЖЩ"
	more <- "x"
	if a, b := next(), next(); !strings.Contains(a, "nearly") || !strings.Contains(b, `"x"`) {
		t.Errorf("%q, %q", a, b)
	}
	more <- "end"
	if got := next(); got != "data: [DONE]" {
		t.Errorf("%q", got)
	}
}

// TestKeepAlive: a client that has to wait is shown that the answer goes on, in the way
// that agents of its API understand.
func TestKeepAlive(t *testing.T) {
	for api, want := range map[modeltest.API]string{modeltest.Messages: "event: ping\ndata: {\"type\": \"ping\"}\n\n", modeltest.Chat: ": alive\n\n", modeltest.Responses: ": alive\n\n", modeltest.Gemini: ""} {
		w := open(t, stream.Policy{}, func(*modeltest.Request) modeltest.Answer {
			return modeltest.Answer{Text: "x", Calls: []modeltest.Call{write(strings.Repeat("long ", 8))}, Piece: 4, Pause: 20 * time.Millisecond}
		})
		w.options.Limits.KeepAlive = 50 * time.Millisecond
		w.start()
		r := w.ask(api, true, ">hello")
		if !r.complete(api) || want != "" && !strings.Contains(r.raw, want) || want == "" && strings.Contains(r.raw, "\n:") {
			t.Errorf("%s: %q", api, r.raw)
		}
	}
}

// TestClientGone: when the client is gone, the upstream's answer ends.
func TestClientGone(t *testing.T) {
	gone := make(chan struct{})
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, ": begin\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	}), nil)
	path, body := request(modeltest.Chat, true, ">hello")
	response, err := http.Post(server.URL+path, "application/json", strings.NewReader(body)) //nolint:noctx // on the loopback
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		t.Error("the upstream still answers")
	}
}

// TestGeminiPieces: a call whose arguments come in pieces, each for a path, is held
// until it is whole and watched.
func TestGeminiPieces(t *testing.T) {
	for _, word := range []string{violation, "fine"} {
		asked := 0
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			asked++
			w.Header().Set("Content-Type", "text/event-stream")
			part := func(text, more string) {
				_, _ = fmt.Fprintf(w, "data: {\"candidates\":[{\"index\":0,\"content\":{\"role\":\"model\",\"parts\":[%s]}%s}]}\n\n", text, more)
			}
			if !strings.Contains(string(body), "system-interrupt") {
				part(`{"functionCall":{"name":"write_file","willContinue":true}}`, "")
				part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.file_path","stringValue":"a.md"}],"willContinue":true}}`, "")
				for _, r := range word {
					part(fmt.Sprintf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.content","stringValue":%q}],"willContinue":true}}`, string(r)), "")
				}
				part(`{"functionCall":{}}`, "")
			}
			part(`{"text":"Said."}`, `,"finishReason":"STOP"`)
		}), nil)
		r := ask(t, server.URL, modeltest.Gemini, true, nil, ">hello")
		if r.hasViolation() || r.texts != "Said." || asked != map[string]int{violation: 2, "fine": 1}[word] || strings.Contains(r.raw, "a.md") != (word == "fine") {
			t.Errorf("%s: asked %d times, %q", word, asked, r.raw)
		}
	}
}

// TestPagesAreRefused: whatever makes a browser send a request for another site, nothing goes on to a model for it, also where
// there is no Origin; the gateway's own page can be opened, and linked to.
func TestPagesAreRefused(t *testing.T) {
	asked := 0
	server := before(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }), nil)
	for _, c := range []struct {
		method, path, site, mode, dest string
		status, asked                  int
	}{
		{"GET", "/v1/models", "cross-site", "no-cors", "image", 403, 0},
		{"GET", "/v1/models", "same-site", "no-cors", "script", 403, 0},
		{"GET", "/v1/models", "cross-site", "navigate", "document", 403, 0},
		{"GET", "/v1beta/models", "cross-site", "navigate", "iframe", 403, 0},
		{"POST", "/v1/messages", "cross-site", "no-cors", "empty", 403, 0},
		{"HEAD", "/", "cross-site", "no-cors", "image", 403, 0},
		{"GET", "/pertain/state", "cross-site", "navigate", "document", 403, 0},
		{"GET", "/metrics", "cross-site", "no-cors", "script", 403, 0},
		{"GET", "/pertain/", "cross-site", "navigate", "iframe", 403, 0},
		{"POST", "/pertain/", "cross-site", "navigate", "document", 403, 0},
		{"GET", "/pertain/", "cross-site", "navigate", "document", 200, 0},
		{"GET", "/pertain/state", "same-origin", "cors", "empty", 200, 0},
		{"GET", "/v1/models", "none", "navigate", "document", 200, 1}, // somebody typed it
		{"GET", "/v1/models", "", "cors", "", 200, 1},                 // a program on Node's fetch
	} {
		asked = 0
		r, _ := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, nil)
		for name, value := range map[string]string{"Sec-Fetch-Site": c.site, "Sec-Fetch-Mode": c.mode, "Sec-Fetch-Dest": c.dest} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != c.status || asked != c.asked || c.status == 403 && response.Header.Get("X-Pertain-Error") != "origin" {
			t.Errorf("%s %s for a %q %s: %d %q, asked %d times", c.method, c.path, c.site, c.dest, response.StatusCode, response.Header.Get("X-Pertain-Error"), asked)
		}
	}
}

// TestPathsStayBelowTheUpstream: no path leaves that of an upstream's address, however it is written.
func TestPathsStayBelowTheUpstream(t *testing.T) {
	var asked []string
	model := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.RequestURI) }))
	defer model.Close()
	server := before(t, http.NotFoundHandler(), func(o *gateway.Options) {
		address, _ := url.Parse(model.URL + "/team/llm")
		to := gateway.Upstream{URL: address}
		o.Settings = func() gateway.Settings { return gateway.Settings{Anthropic: to, OpenAI: to, Gemini: to} }
	})
	send := func(path string) (status int, code, text string) {
		t.Helper()
		asked = nil
		to, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://")) // since clients clean paths
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = to.Close() }()
		_, _ = fmt.Fprintf(to, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path)
		response, err := http.ReadResponse(bufio.NewReader(to), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, response.Header.Get("X-Pertain-Error"), string(body)
	}
	for _, path := range []string{
		"/../../admin", "/v1/../../../admin", "/v1/models/..", "/..", "/v1/./models", "/%2e%2e/%2e%2e/admin", "/v1/..%2f..%2f..%2fadmin?all=1", "/v1/.%2E/x",
		"/v1%2f..%2f..%2fadmin", `/v1/..\..\admin`, "/v1/..%5c..%5cadmin", "/v1/..;x=1/admin", "/v1/%252e%252e/admin", "/v1/%252e%252e%252f%25zz", "/v1/%25252e%25252e/x",
		"/w/x/../../admin", "/w/%2e%2e/v1/models", "/w/x%2f..%2f/v1/models", "/v1beta/models/../../x:countTokens", "//../x",
	} {
		if status, code, text := send(path); status != http.StatusBadRequest || code != "path" || !strings.Contains(text, "without it") || asked != nil {
			t.Errorf("%s: %d %q %s, asked %q", path, status, code, text, asked)
		}
	}
	for path, want := range map[string]string{
		"/v1/files/a..b":          "/team/llm/v1/files/a..b",
		"/v1/files/...":           "/team/llm/v1/files/...",
		"/v1/files/.hidden":       "/team/llm/v1/files/.hidden",
		"/v1/files/100%25":        "/team/llm/v1/files/100%25",
		"/v1/files/a%2fb?x=../..": "/team/llm/v1/files/a%2fb?x=../..",
		"/v1/files/%25":           "/team/llm/v1/files/%25",
	} {
		if status, code, _ := send(path); status != http.StatusOK || code != "" || len(asked) != 1 || asked[0] != want {
			t.Errorf("%s: %d %q, asked %q", path, status, code, asked)
		}
	}
}

package gateway_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// canned is an upstream that sends the same bytes to everybody, in pieces of random
// sizes.
type canned struct {
	body   string
	random *rand.Rand // of the pieces in which it comes; nil: as much at once as is asked for
}

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, ContentLength: -1,
		Body: io.NopCloser(&cutReader{strings.NewReader(c.body), c.random}),
	}, nil
}

type cutReader struct {
	text   *strings.Reader
	random *rand.Rand
}

func (c *cutReader) Read(p []byte) (int, error) {
	if c.random == nil {
		return c.text.Read(p)
	}
	return c.text.Read(p[:1+c.random.IntN(min(len(p), 1+c.random.IntN(200)))])
}

// through gives what a client gets of a stream, and whether it broke off.
func through(t testing.TB, api modeltest.API, body string, seed uint64) (got string, broken bool) {
	t.Helper()
	workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire)}
	nowhere, _ := url.Parse("http://127.0.0.1:1")
	to := gateway.Upstream{URL: nowhere}
	g := gateway.New(gateway.Options{
		Workspace: func(string) *gateway.Workspace { return workspace },
		Settings:  func() gateway.Settings { return gateway.Settings{Anthropic: to, OpenAI: to, Gemini: to} },
		Transport: canned{body, rand.New(rand.NewPCG(seed, 1))},
	})
	path, ask := request(api, true, ">hello")
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(ask))
	r.Host = "localhost"
	w := httptest.NewRecorder()
	func() {
		defer func() {
			if e := recover(); e != nil {
				if e != http.ErrAbortHandler { //nolint:errorlint // it is what the handler panics with
					panic(e)
				}
				broken = true
			}
		}()
		g.ServeHTTP(w, r)
	}()
	return w.Body.String(), broken
}

// recorded is a stream of the scripted model.
func recorded(t testing.TB, api modeltest.API) string {
	t.Helper()
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Thinking: "hm", Text: "Some ЖЩЮ text.", Calls: []modeltest.Call{write("ЖЩЮ")}, Piece: 5}
	})
	defer model.Close()
	path, body := request(api, true, ">hello")
	response, err := http.Post(model.URL+path, "application/json", strings.NewReader(body)) //nolint:noctx // on the loopback
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzStream holds for any bytes of an upstream, in any pieces: with nothing firing, what
// the client gets is what the upstream sent, all of it or, where that is not complete,
// a beginning; the violation never passes.
func FuzzStream(f *testing.F) {
	for i, api := range apis {
		text := recorded(f, api)
		f.Add(text, uint8(i), uint64(1))
		f.Add(strings.ReplaceAll(text, "\n", "\r\n"), uint8(i), uint64(2))
		f.Add(text[:len(text)/2], uint8(i), uint64(3))
		f.Add(": comment\n\nid: 7\n"+text+"trailing", uint8(i), uint64(4))
		f.Add(strings.ReplaceAll(text, "index", "x"), uint8(i), uint64(5))
		f.Add(strings.ReplaceAll(text, "0", "-9999999999"), uint8(i), uint64(6))
	}
	f.Fuzz(func(t *testing.T, text string, which uint8, seed uint64) {
		api := apis[int(which)%len(apis)]
		got, broken := through(t, api, text, seed)
		if strings.Contains(text, `\u`) || strings.ContainsAny(text, violation[len(violation)-2:]) {
			return // something may fire
		}
		if begin := text[:min(len(text), 2)]; strings.Contains(begin, "\x00") || begin == "\xfe\xff" || begin == "\xff\xfe" {
			return // it is refused: see TestOtherCharacters
		}
		if !broken && got != text && !strings.Contains(text, "error") {
			t.Fatalf("%s: %q\nnot %q", api, got, text)
		}
		if broken && !strings.HasPrefix(text, got) && !strings.Contains(text, "error") {
			t.Fatalf("%s: %q\nis no beginning of %q", api, got, text)
		}
	})
}

// TestRecorded: recorded streams, in a thousand ways to cut them.
func TestRecorded(t *testing.T) {
	for _, api := range apis {
		text := recorded(t, api)
		for seed := range uint64(250) {
			if got, broken := through(t, api, text, seed); got != text || broken {
				t.Fatalf("%s, seed %d: broken %v, %q", api, seed, broken, got)
			}
		}
	}
}

// TestHostileUpstream: what no model sends ends in an error or a cut, and not in a hang
// or a panic.
func TestHostileUpstream(t *testing.T) {
	for _, api := range apis {
		for _, text := range []string{
			"", "\n\n\n", "garbage", "data: {\n\ndata: }\n\n", strings.Repeat("data: x\n", 1000), "data: " + strings.Repeat("[", 20000) + "\n\n",
			"data: null\n\ndata: []\n\ndata: 1\n\n", "ab\x00\xff\xfe\n\n", "data: {\"choices\":[{\"index\":99999999999999999999,\"delta\":{\"content\":1}}]}\n\n",
			"data: {\"type\":\"content_block_stop\",\"index\":5}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		} {
			got, broken := through(t, api, text, 1)
			if !strings.HasPrefix(text, got) || !broken && got != text {
				t.Errorf("%s, %.40q: %.100q, broken %v", api, text, got, broken)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"write\",\"input\":{}}}\n\n")
	for b.Len() < 70<<20 {
		b.WriteString("data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"" + strings.Repeat("x", 1<<20) + "\"}}\n\n")
	}
	if got, broken := through(t, modeltest.Messages, b.String(), 1); broken || !strings.HasPrefix(got, `{"type":"error"`) || !strings.Contains(got, "held back") || len(got) > 1000 { // the client had got nothing
		t.Errorf("a call without end: %v, %.300q", broken, got)
	}
}

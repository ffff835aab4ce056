package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// TestEndlessAnswer: what an answer says is kept until it ends, so an answer that does not end is broken off before there is no memory left.
func TestEndlessAnswer(t *testing.T) {
	workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire)}
	for _, piece := range []string{"text_delta\",\"text", "input_json_delta\",\"partial_json"} {
		body := "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
			strings.Repeat("data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\""+piece+"\":\""+strings.Repeat("word ", 3000)+"\"}}\n\n", 100)
		for size, whole := range map[int64]bool{2 << 20: false, 64 << 20: true} {
			g := gateway.New(gateway.Options{
				Workspace: func(string) *gateway.Workspace { return workspace },
				Transport: canned{body + "data: {\"type\":\"message_stop\"}\n\n", nil},
				Limits:    gateway.Limits{Held: size},
			})
			path, ask := request(modeltest.Messages, true, ">hello")
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(ask))
			r.Host = "localhost"
			w := httptest.NewRecorder()
			broken := false
			func() {
				defer func() { broken = recover() != nil || w.Code == http.StatusBadGateway }()
				g.ServeHTTP(w, r)
			}()
			if broken == whole || strings.Contains(w.Body.String(), "more than can be held back") == whole {
				t.Errorf("%s, %d bytes: broken %v after %d bytes: %.100s", piece, size, broken, w.Body.Len(), w.Body.String()[max(w.Body.Len()-100, 0):])
			}
		}
	}
}

// TestLargeOddEvent: an event that clients read in several ways is held once for each, so that there is less room for it than for a plain one.
func TestLargeOddEvent(t *testing.T) {
	word := strings.Repeat("word ", 1<<18)
	start := "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n"
	plain := "data: {\"type\":\"ping\",\"a\":\"" + word + "\"}"
	for name, c := range map[string]struct {
		body  string
		whole bool
	}{
		"a line without an end": {strings.Repeat("data: {\"a\":\""+word[:1000], 1100), false},
		"no field":              {strings.Repeat(word[:1000], 1100), false},
		"lines of data":         {strings.Repeat("data: x\n", 1<<18), false},
		"no empty line":         {start + plain, false},
		"no JSON":               {start + "data: {\"a\":\"" + word + "}\n\n", false},
		"after an odd one":      {start + "x: y\ndata: {\"type\":\"ping\"}\n\n" + plain + "\n\n", false},
		"a plain one":           {start + plain + "\n\ndata: {\"type\":\"message_stop\"}\n\n", true},
	} {
		address, _ := answering(t, http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}}, c.body, "")
		r := ask(t, address, modeltest.Messages, true, nil, ">hello")
		if told := strings.Contains(r.raw, "more than can be held back"); told == c.whole || c.whole != (r.raw == c.body) {
			t.Errorf("%s: %v, %d of %d bytes, %.200q", name, r.err, len(r.raw), len(c.body), r.raw[max(len(r.raw)-200, 0):])
		}
	}
}

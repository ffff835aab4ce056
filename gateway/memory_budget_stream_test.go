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

package gateway_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestHeld: requests under way hold no more memory together than there is; one for which there is none left is told so in the
// form of its API, and there is some again when the others are done.
func TestHeld(t *testing.T) {
	asked, answer := make(chan struct{}, 8), make(chan struct{})
	w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
		if strings.Contains(r.Text, "wait") {
			asked <- struct{}{}
			<-answer
		}
		return modeltest.Answer{Text: "done"}
	})
	w.options.Limits = gateway.Limits{Held: 5 << 20}
	w.start()
	body := func(what string, size int) string {
		return fmt.Sprintf(`{"model":"m","stream":true,"max_tokens":1,"messages":[{"role":"user","content":"%s %s"}]}`, what, strings.Repeat("a", size))
	}
	address := w.server.URL + "/v1/messages"
	var first sync.WaitGroup
	first.Go(func() {
		if got := post(t, address, body("wait", 800<<10), modeltest.Messages, nil); got.texts != "done" {
			t.Errorf("%d %s", got.status, got.raw)
		}
	})
	<-asked
	refused := func(what string, got *reply) {
		t.Helper()
		if got.status != http.StatusServiceUnavailable || got.header.Get("X-Pertain-Error") != "busy" || got.header.Get("Retry-After") == "" || !strings.Contains(got.raw, `"error"`) {
			t.Errorf("%s: %d %v %s", what, got.status, got.header, got.raw)
		}
	}
	refused("a second", post(t, address, body("more", 800<<10), modeltest.Messages, nil))
	refused("one that is larger than all", post(t, address, body("more", 2<<20), modeltest.Messages, nil))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, body("more", 2<<20))
	_ = z.Close()
	refused("one that is packed", post(t, address, packed.String(), modeltest.Messages, map[string]string{"Content-Encoding": "gzip"}))
	close(answer)
	first.Wait()
	if got := post(t, address, body("more", 800<<10), modeltest.Messages, nil); got.texts != "done" {
		t.Errorf("afterwards: %d %s", got.status, got.raw)
	}
}

// TestHeldAnswers: answers count as well.
func TestHeldAnswers(t *testing.T) {
	w := open(t, stream.Policy{}, func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Calls: []modeltest.Call{write(strings.Repeat("long ", 400<<10))}, Piece: 64 << 10}
	})
	w.options.Limits = gateway.Limits{Held: 1 << 20}
	w.start()
	if got := ask(t, w.server.URL, modeltest.Messages, false, nil, ">hi"); got.status != http.StatusServiceUnavailable || got.header.Get("X-Pertain-Error") != "busy" {
		t.Errorf("%d %.200s", got.status, got.raw)
	}
	if got := ask(t, w.server.URL, modeltest.Messages, true, nil, ">hi"); got.complete(modeltest.Messages) || strings.Contains(got.raw, "long long") {
		t.Errorf("%d %.200s", got.status, got.raw)
	}
	w.options.Limits = gateway.Limits{}
	w.start()
	if got := ask(t, w.server.URL, modeltest.Messages, true, nil, ">hi"); !got.complete(modeltest.Messages) {
		t.Errorf("%d %.200s", got.status, got.raw)
	}
}

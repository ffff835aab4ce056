package gateway_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// BenchmarkStream is one streamed answer of 2,000 pieces of code, a thousand triggers
// on, without a network: as much of it at once as is asked for.
func BenchmarkStream(b *testing.B) {
	var triggers []stream.Trigger
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{fmt.Sprintf(`%c%c\w+%d\.call\(`, 'a'+r.IntN(26), 'a'+r.IntN(26), i)}})
	}
	workspace := &gateway.Workspace{Dir: "/w", Triggers: set(b, triggers...)}
	var body strings.Builder
	body.WriteString("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n")
	words := strings.Fields("func (r *Reader) Next() (Event, error) { for { if r.scan() { return r.event(r.line), nil } } } and then it says what it has found")
	for i := range 2000 {
		fmt.Fprintf(&body, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%q}}\n\n", " "+words[i%len(words)])
	}
	body.WriteString("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
	g := gateway.New(gateway.Options{
		Workspace: func(string) *gateway.Workspace { return workspace },
		Transport: canned{body.String(), nil},
	})
	path, ask := request(modeltest.Messages, true, ">hello")
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(ask))
		r.Host = "localhost"
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Body.Len() != body.Len() {
			b.Fatalf("%d of %d bytes", w.Body.Len(), body.Len())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/piece")
}

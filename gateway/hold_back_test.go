package gateway_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// wait waits until a channel is closed, or nobody listens any more.
func wait(ctx context.Context, more chan bool) {
	select {
	case <-more:
	case <-ctx.Done():
	}
}

// listen sends a request whose answer is to come within some time.
func listen(t *testing.T, address, body string) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(r)
}

// TestHoldSize: of a text in which a match may be under way at most 4 KiB are held, by
// whole events: what is more leaves before the model goes on, and no more than that.
func TestHoldSize(t *testing.T) {
	long := stream.Trigger{Name: "span", Body: "No spans.", Patterns: []string{`BEGIN[\s\S]*END`}}
	for _, c := range []struct {
		first, size, count int // bytes of the first event, and of how many more
		leave              int // events that leave
	}{
		{6, 500, 20, 13}, {6, 100, 100, 61}, {10006, 0, 0, 1}, {6, 4090, 1, 0}, {6, 4091, 1, 1}, {6, 5000, 1, 2}, {4096, 0, 0, 0}, {4097, 0, 0, 1},
	} {
		asked, more := 0, make(chan bool)
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			say := func(text string) {
				_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
				_ = http.NewResponseController(w).Flush()
			}
			if asked++; asked == 1 {
				say("BEGIN " + strings.Repeat("x", c.first-6))
				for range c.count {
					say(strings.Repeat("x", c.size))
				}
				wait(r.Context(), more)
				say("END")
			}
			_, _ = io.WriteString(w, "data: [DONE]\n\n")
		}), func(o *gateway.Options) {
			o.Limits.Wait = time.Hour
			workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, long)}
			o.Workspace = func(string) *gateway.Workspace { return workspace }
		})
		path, body := request(modeltest.Chat, true, ">hello")
		if c.leave == 0 {
			close(more)
		}
		response, err := listen(t, server.URL+path, body)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(response.Body)
		got := 0
		for lines.Scan() {
			if strings.Contains(lines.Text(), `"content"`) {
				if got++; got == c.leave {
					close(more)
				}
			}
		}
		_ = response.Body.Close()
		if got != c.leave || asked != 2 {
			t.Errorf("%v: %d events left, asked %d times", c, got, asked)
		}
	}
}

// TestHoldAcross: what waits after a text in which a match may be under way counts, too.
func TestHoldAcross(t *testing.T) {
	more := make(chan bool)
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i, text := range append([]string{"nearly ЖЩ"}, strings.Split(strings.Repeat("plain words ", 500), " ")...) {
			_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":%d,\"delta\":{\"content\":%q}}]}\n\n", min(i, 1), text+" and more")
		}
		_ = http.NewResponseController(w).Flush()
		wait(r.Context(), more)
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}), func(o *gateway.Options) {
		o.Limits.Wait = time.Hour
		workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, stream.Trigger{Name: "long", Body: "x", Patterns: []string{violation + `|nearly[^~]*~`}})}
		o.Workspace = func(string) *gateway.Workspace { return workspace }
	})
	path, body := request(modeltest.Chat, true, ">hello")
	response, err := listen(t, server.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	got := 0
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"content"`) {
			if got++; got == 100 {
				close(more)
			}
		}
	}
	if got != 1002 {
		t.Errorf("%d events", got)
	}
}

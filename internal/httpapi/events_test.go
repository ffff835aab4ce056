package httpapi_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

// listen opens an event stream; the lines end when the stream does.
func (s *served) listen(ctx context.Context, t testing.TB) (int, <-chan string) {
	t.Helper()
	return s.listenAfter(ctx, t, "")
}

// listenAfter says which event was the last to be seen.
func (s *served) listenAfter(ctx context.Context, t testing.TB, last string) (int, <-chan string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	response, err := http.DefaultClient.Do(r) //nolint:bodyclose // by the goroutine below
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		defer response.Body.Close()
		scanner := bufio.NewScanner(response.Body)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
	}()
	return response.StatusCode, lines
}

func waitLine(t testing.TB, lines <-chan string, want string) {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("the stream ended before %q", want)
			}
			if line == want {
				return
			}
		case <-late:
			t.Fatalf("there was no %q", want)
		}
	}
}

func TestEvents(t *testing.T) {
	s := serve(t, httpapi.Options{})
	_, lines := s.listen(t.Context(), t)
	waitLine(t, lines, ": events follow")
	s.become(t, `{}`)
	waitLine(t, lines, "event: change")
	waitLine(t, lines, `data: {"part":"context"}`)
	waitLine(t, lines, `data: {"ids":[]}`)
	s.become(t, selectionContext)
	waitLine(t, lines, "event: recommendations")
	waitLine(t, lines, `data: {"ids":["user.rewrite"]}`)
	s.stop() // ends the stream, and does not wait for it
	for range lines {
	}
}

// TestInterruptedStream holds that who comes back gets what it missed, and who
// was away too long is told to look at everything.
func TestInterruptedStream(t *testing.T) {
	s := serve(t, httpapi.Options{})
	_, witness := s.listen(t.Context(), t) // somebody must listen for the context to be followed
	waitLine(t, witness, ": events follow")
	s.become(t, `{}`)
	var id string
	for line := range witness {
		if after, ok := strings.CutPrefix(line, "id: "); ok {
			id = after
		}
		if line == `data: {"ids":[]}` {
			break
		}
	}
	s.become(t, selectionContext)
	waitLine(t, witness, `data: {"ids":["user.rewrite"]}`)
	_, lines := s.listenAfter(t.Context(), t, id)
	waitLine(t, lines, `data: {"part":"context"}`)
	waitLine(t, lines, `data: {"ids":["user.rewrite"]}`)
	for _, unknown := range []string{"an-earlier-server", "x", "-", strings.Split(id, "-")[0] + "-9999", strings.Split(id, "-")[0] + "--1"} {
		_, lines := s.listenAfter(t.Context(), t, unknown)
		for _, part := range []string{"strategies", "rules", "skills", "context"} {
			waitLine(t, lines, `data: {"part":"`+part+`"}`)
		}
	}
}

func TestHeartbeat(t *testing.T) {
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Heartbeat: 10 * time.Millisecond}})
	_, lines := s.listen(t.Context(), t)
	waitLine(t, lines, ": alive")
	waitLine(t, lines, ": alive")
}

func TestManyStreams(t *testing.T) {
	const streams = 500
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Streams: streams}})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var open []<-chan string
	for range streams {
		status, lines := s.listen(ctx, t)
		if status != 200 {
			t.Fatalf("stream %d: got %d", len(open), status)
		}
		open = append(open, lines)
	}
	if status, _ := s.listen(ctx, t); status != 503 {
		t.Errorf("one more than the limit: got %d", status)
	}
	s.become(t, `{}`)
	var told sync.WaitGroup
	for _, lines := range open {
		told.Go(func() { waitLine(t, lines, `data: {"ids":[]}`) })
	}
	told.Wait()
	leave() // all vanish at once
	for range 500 {
		s.mu.Lock()
		watched := s.seen != nil
		s.mu.Unlock()
		if _, body := s.ask(t, "GET", "/metrics", ""); !watched && strings.Contains(body, "pertain_event_streams 0") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("streams of clients that left are kept, or the context is still watched")
}

// TestRawConnections are clients that are none: nothing, garbage, half a request.
func TestRawConnections(t *testing.T) {
	s := serve(t, httpapi.Options{})
	address := strings.TrimPrefix(s.url, "http://")
	for _, text := range []string{
		"", "\x00\x01\x02\r\n\r\n", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET http://attacker.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /api/v1/match HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"POST /api/v1/match HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
		"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := connection.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		connection.Close()
	}
	if status, _ := s.ask(t, "GET", "/api/v1/match", ""); status != 200 {
		t.Errorf("got %d", status)
	}
	if strings.Contains(s.logs.String(), "attacker") {
		t.Error("the log holds what a client sent")
	}
}

// TestEventsBegin holds that a client which is cut off before its first event
// knows where it was, and that HEAD is answered at once.
func TestEventsBegin(t *testing.T) {
	s := serve(t, httpapi.Options{})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	_, lines := s.listen(ctx, t)
	at := ""
	for at == "" {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatal("the stream has ended")
			}
			at, _ = strings.CutPrefix(line, "id: ")
			if at == line {
				at = ""
			}
		case <-time.After(20 * time.Second):
			t.Fatal("no id comes")
		}
	}
	s.become(t, `{"clipboard":{"text":"x"}}`)
	waitLine(t, lines, "event: change")
	leave()
	again, stop := context.WithCancel(t.Context())
	defer stop()
	_, lines = s.listenAfter(again, t, at)
	waitLine(t, lines, "event: change")
	if status, _ := s.ask(t, "HEAD", "/api/v1/events", ""); status != 200 {
		t.Errorf("got %d", status)
	}
}

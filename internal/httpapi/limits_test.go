package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

func TestLimits(t *testing.T) {
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Body: 1000, Time: 5 * time.Second}})
	for _, change := range []func(*http.Request){
		func(*http.Request) {},
		func(r *http.Request) { r.ContentLength = -1 }, // in pieces, without a length
	} {
		status, body := s.ask(t, "POST", "/api/v1/match", `{"text":"`+strings.Repeat("x", 2000)+`"}`, change)
		if status != 413 || !strings.Contains(body, "too_large") {
			t.Errorf("got %d: %s", status, body)
		}
	}
	status, body := s.ask(t, "GET", "/api/v1/match", "", header("X-Large", strings.Repeat("x", 1<<20)))
	if status != 431 {
		t.Errorf("got %d: %.100s", status, body)
	}
}

// TestHeaderLimit holds that the limit is what docs/http.md says.
func TestHeaderLimit(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for size, want := range map[int]int{15 << 10: 200, 16 << 10: 431, 20_000: 431} {
		if status, body := s.ask(t, "GET", "/api/v1/rules", "", header("X-Large", strings.Repeat("x", size))); status != want {
			t.Errorf("%d bytes: got %d: %.100s", size, status, body)
		}
	}
}

// dial opens a connection that takes little at once.
func (s *served) dial(t *testing.T) *net.TCPConn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	tcp, ok := connection.(*net.TCPConn)
	if !ok {
		t.Fatal("no TCP")
	}
	_ = tcp.SetReadBuffer(1)
	t.Cleanup(func() { _ = tcp.Close() })
	return tcp
}

const postHead = "POST /api/v1/match HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\nContent-Type: application/json\r\n"

// TestSlowSender holds that a body that does not come is waited for only so long,
// that its client is told, and that others are answered meanwhile.
func TestSlowSender(t *testing.T) {
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Time: 3 * time.Second, Requests: 2}})
	var slow []*net.TCPConn
	for range 8 {
		c := s.dial(t)
		if _, err := fmt.Fprint(c, postHead+"Content-Length: 100\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	if status, body := s.ask(t, "GET", "/api/v1/match", ""); status != 200 {
		t.Errorf("got %d: %s", status, body)
	}
	for _, c := range slow {
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		text, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 408 ") || !strings.Contains(string(text), `"code":"timeout"`) {
			t.Errorf("got %v: %s", err, text)
		}
	}
}

// TestUnwantedBody holds that who is refused is told so, however slowly it sends.
func TestUnwantedBody(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for head, want := range map[string]string{
		strings.Replace(postHead, token, "wrong", 1):       "HTTP/1.1 401 ",
		strings.Replace(postHead, "localhost", "other", 1): "HTTP/1.1 421 ",
		strings.Replace(postHead, "/match", "/rules", 1):   "HTTP/1.1 405 ",
	} {
		c := s.dial(t)
		if _, err := fmt.Fprint(c, head+"Content-Length: 100\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second)) // without the limit it is 30 s
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, want) {
			t.Errorf("got %v: %s", err, line)
		}
	}
}

// TestAnnouncedBody holds that a body which would be too large is not waited for.
func TestAnnouncedBody(t *testing.T) {
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Time: time.Minute}})
	c := s.dial(t)
	if _, err := fmt.Fprint(c, postHead+"Content-Length: 1000000000000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 413 ") {
		t.Errorf("got %v: %s", err, line)
	}
}

// TestSlowReader holds that clients that do not read keep nobody from getting
// answers.
func TestSlowReader(t *testing.T) {
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Time: 20 * time.Second, Requests: 2}})
	body := `{"source":"` + strings.Repeat("x", 12<<20) + `"}` // its answer has it again
	for range 4 {
		c := s.dial(t)
		if _, err := fmt.Fprint(c, strings.Replace(postHead, "match", "try", 1)+"Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body); err != nil {
			t.Fatal(err)
		}
		one := make([]byte, 1)
		if _, err := c.Read(one); err != nil { // the answer is on its way
			t.Fatal(err)
		}
	}
	if status, body := s.ask(t, "GET", "/api/v1/match", ""); status != 200 {
		t.Errorf("got %d: %s", status, body)
	}
}

// TestOpenLimit holds that there is an end to the patience with slow clients.
func TestOpenLimit(t *testing.T) {
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Time: 20 * time.Second, Open: 2}})
	for range 2 {
		c := s.dial(t)
		if _, err := fmt.Fprint(c, postHead+"Expect: 100-continue\r\nContent-Length: 100\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") { // sent once the request has its slot
			t.Fatalf("got %v: %s", err, line)
		}
	}
	if status, body := s.ask(t, "GET", "/api/v1/match", ""); status != 503 || !strings.Contains(body, `"busy"`) {
		t.Errorf("got %d: %s", status, body)
	}
}

// TestBusy holds that there is an end to what is worked on at the same time, and
// that a slot is free again when an answer is made.
func TestBusy(t *testing.T) {
	of := newSpace(t)
	of.stuck, of.release = make(chan struct{}, 10), make(chan struct{})
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Time: 30 * time.Second, Requests: 1}})
	slow := make(chan int, 1)
	go func() {
		status, _ := s.ask(t, "GET", "/api/v1/match", "")
		slow <- status
	}()
	<-of.stuck
	if status, body := s.ask(t, "GET", "/api/v1/rules", ""); status != 503 || !strings.Contains(body, `"busy"`) {
		t.Errorf("the place is taken, but got %d: %s", status, body)
	}
	if status, _ := s.ask(t, "GET", "/healthz", ""); status != 200 {
		t.Errorf("no sign of life: got %d", status)
	}
	close(of.release)
	if status := <-slow; status != 200 {
		t.Errorf("got %d", status)
	}
	if status, _ := s.ask(t, "GET", "/api/v1/rules", ""); status != 200 {
		t.Errorf("the place is still taken: got %d", status)
	}
}

// TestTimeLimit holds that an answer that does not come is ended.
func TestTimeLimit(t *testing.T) {
	of := newSpace(t)
	of.stuck = make(chan struct{}, 10)
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Time: 100 * time.Millisecond}})
	if status, body := s.ask(t, "GET", "/api/v1/match", ""); status != 504 || !strings.Contains(body, `"timeout"`) {
		t.Errorf("got %d: %s", status, body)
	}
}

// TestTimeLimitOfAnExpression holds that the limit of an answer also ends an expression
// whose own strategy gives it more.
func TestTimeLimitOfAnExpression(t *testing.T) {
	const slow = "---\nname: Slow\noptions: {matchingTimeout: 100000s, conditionTimeout: 100000s, regexTimeout: 100000s}\nwhen: {attachments.selection.text: {regex: '^(?:(a+)+\\1)+$'}}\n---\nx\n"
	of := newSpace(t)
	if err := os.WriteFile(filepath.Join(of.dir, "strategies", "slow.strategy.md"), []byte(slow), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := of.engine.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Time: 100 * time.Millisecond}})
	text := strings.Repeat("a", 100) + "b"
	patient, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for path, in := range map[string]map[string]any{
		"/api/v1/explain": {"id": "user.slow", "context": map[string]any{"attachments": map[string]any{"selection": map[string]any{"text": text}}}},
		"/api/v1/try":     {"source": slow, "context": `{"attachments": {"selection": {"text": "` + text + `"}}}`},
	} {
		body, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		status, answer := s.ask(t, "POST", path, string(body), func(r *http.Request) { *r = *r.WithContext(patient) })
		if status != 504 || !strings.Contains(answer, `"timeout"`) {
			t.Errorf("%s: got %d: %s", path, status, answer)
		}
	}
}

// TestMistakeOfTheProgram holds that a request that ends in a panic keeps no
// place, and that the log says where it was, without any value.
func TestMistakeOfTheProgram(t *testing.T) {
	of := newSpace(t)
	of.broken = true
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Requests: 2}})
	for range 5 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/v1/match", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		if response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r); err == nil {
			_ = response.Body.Close()
			t.Errorf("got %d", response.StatusCode)
		}
	}
	if status, body := s.ask(t, "GET", "/api/v1/problems", ""); status != 200 {
		t.Errorf("got %d: %s", status, body)
	}
	if log := s.logs.String(); strings.Count(log, "a request failed") != 5 || !strings.Contains(log, "Snapshot") || strings.Contains(log, secret) {
		t.Errorf("logged %s", log)
	}
}

// TestShutdown holds that a server that is told to end lets a request finish and
// waits for no stream.
func TestShutdown(t *testing.T) {
	of := newSpace(t)
	of.stuck, of.release = make(chan struct{}, 10), make(chan struct{})
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Time: 30 * time.Second, Drain: 15 * time.Second}})
	_, lines := s.listen(t.Context(), t)
	waitLine(t, lines, ": events follow")
	last := make(chan int, 1)
	go func() {
		status, _ := s.ask(t, "GET", "/api/v1/match", "")
		last <- status
	}()
	<-of.stuck
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.stop() // fails the test if it takes long
	}()
	for range lines { // ended, so that the server is ending
	}
	close(of.release)
	if status := <-last; status != 200 {
		t.Errorf("the request under way got %d", status)
	}
	<-ended
}

// TestMetrics holds what is told; that Prometheus can read it is held by peertest.
func TestMetrics(t *testing.T) {
	s := serve(t, httpapi.Options{})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	_, lines := s.listen(ctx, t)
	waitLine(t, lines, ": events follow")
	s.ask(t, "GET", "/api/v1/match", "")
	s.ask(t, "GET", "/api/v1/match?al=1", "")
	s.ask(t, "GET", "/secret-path", "")
	s.ask(t, "GET", "/api/v1/match", "", header("Origin", "https://attacker.example"))
	_, body := s.ask(t, "GET", "/metrics", "")
	for _, line := range []string{
		`pertain_http_requests_total{code="200",route="/api/v1/match"} 1`,
		`pertain_http_requests_total{code="400",route="/api/v1/match"} 1`,
		`pertain_http_requests_total{code="404",route="other"} 1`,
		`pertain_http_request_seconds_bucket{route="/api/v1/match",le="+Inf"} 2`,
		`pertain_http_request_seconds_count{route="/api/v1/match"} 2`,
		`pertain_http_refused_total{reason="cross_site"} 1`,
		`pertain_build_info{go="` + runtime.Version() + `",version="test"} 1`,
		`pertain_matches_total 1`,
		`pertain_slow_matches_total 0`,
		`pertain_event_streams 1`,
		`pertain_strategies 3`,
		`pertain_strategies_invalid 1`,
		`# TYPE go_goroutines gauge`,
	} {
		if !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("%s is not told:\n%s", line, body)
		}
	}
	for _, word := range []string{"secret", "attacker", "rewrite", token} {
		if strings.Contains(body, word) {
			t.Errorf("the metrics hold %q", word)
		}
	}
}

// TestRulesInTurn holds that however many ask for rules at once, few are worked on, the others wait and are answered, one that
// leaves waits no longer, and what does not read rules is not kept waiting.
func TestRulesInTurn(t *testing.T) {
	of := newSpace(t)
	came, opened := make(chan struct{}, 100), make(chan struct{})
	var mu sync.Mutex
	inside, most := 0, 0
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		inside += n
		most = max(most, inside)
	}
	of.during = func() func() {
		count(1)
		came <- struct{}{}
		<-opened
		return func() { count(-1) }
	}
	s := serveSpace(t, of, httpapi.Options{Limits: httpapi.Limits{Time: 30 * time.Second, Rules: 2}})
	answered := make(chan int, 30)
	for i := range 30 {
		go func() {
			status, _ := s.ask(t, "GET", []string{"/api/v1/rules", "/api/v1/rules/for?file=a.ts", "/api/v1/rules/text?name=types"}[i%3], "")
			answered <- status
		}()
	}
	for range 2 {
		<-came
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		if r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/rules", http.NoBody); err == nil {
			r.Header.Set("Authorization", "Bearer "+token)
			if response, err := http.DefaultClient.Do(r); err == nil {
				_ = response.Body.Close()
			}
		}
	}()
	leave()
	<-left
	if status, body := s.ask(t, "GET", "/api/v1/problems", ""); status != 200 {
		t.Errorf("got %d: %s", status, body)
	}
	close(opened)
	for range 30 {
		if status := <-answered; status != 200 {
			t.Errorf("got %d", status)
		}
	}
	if most > 2 {
		t.Errorf("%d were worked on at the same time", most)
	}
}

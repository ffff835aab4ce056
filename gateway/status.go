package gateway

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/stream"
)

// seen is what a gateway shows of itself: numbers, streams that are open, and what rules
// did last. It holds names and never text.
type seen struct {
	version string

	mu       sync.Mutex
	requests map[string]int64 // by API
	refusals map[string]int64 // by code
	actions  map[Action]int64
	yes, no  int64 // heeded or not
	open     map[*live]bool
	serial   int64
	last     []intervention // the newest last
}

// live is a request that is being answered.
type live struct {
	Number    int64     `json:"number"`
	API       string    `json:"api"`
	Agent     string    `json:"agent"`
	Workspace string    `json:"workspace"`
	Streamed  bool      `json:"streamed"`
	Since     time.Time `json:"since"`
}

// intervention is what a rule did.
type intervention struct {
	Time      time.Time `json:"time"`
	Agent     string    `json:"agent"`
	Workspace string    `json:"workspace"`
	Rule      string    `json:"rule"`
	Where     string    `json:"where"` // text, thinking or a tool
	Path      string    `json:"path"`
	Action    Action    `json:"action"`
	Heeded    *bool     `json:"heeded"`

	entry string
}

// maxLast is how many interventions are shown.
const maxLast = 200

func newSeen(version string) *seen {
	return &seen{version: version, requests: map[string]int64{}, refusals: map[string]int64{}, actions: map[Action]int64{}, open: map[*live]bool{}}
}

func (s *seen) begin(x *exchange) *live {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	s.requests[x.to.api.name()]++
	l := &live{s.serial, x.to.api.name(), x.agent(), x.workspace.Dir, x.ask.stream, time.Now()}
	s.open[l] = true
	return l
}

func (s *seen) end(l *live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, l)
}

func (s *seen) refused(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals[code]++
}

// acts counts what rules did.
func (s *seen) acts(action Action) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.actions[action]++
}

// intervenes takes note of what rules did. entries are those of the journal and known their names, in the same order.
func (s *seen) intervenes(fired []stream.Fired, entries []Entry, known []heard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range fired {
		e := entries[i]
		one := intervention{Time: time.Now(), Agent: e.Agent, Workspace: e.Workspace, Rule: e.Rule, Where: f.Source.Kind.String(), Path: e.Path, Action: e.Action, entry: known[i].entry}
		if f.Source.Tool != "" {
			one.Where = f.Source.Tool
		}
		s.last = append(s.last, one)
	}
	if more := len(s.last) - maxLast; more > 0 {
		s.last = slices.Delete(s.last, 0, more)
	}
}

func (s *seen) heeds(entries []string, heeded bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if heeded {
		s.yes += int64(len(entries))
	} else {
		s.no += int64(len(entries))
	}
	known := make(map[string]bool, len(entries))
	for _, entry := range entries {
		known[entry] = entry != ""
	}
	for i := range s.last {
		if known[s.last[i].entry] {
			s.last[i].Heeded = &heeded
		}
	}
}

// page is for people.
//
//go:embed page.html
var page []byte

// serveSeen answers what is about the gateway itself.
func (g *Gateway) serveSeen(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "this address is for reading", http.StatusMethodNotAllowed)
		return
	}
	switch r.URL.Path {
	case "/healthz":
		h.Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"ok"}` + "\n"))
	case "/metrics":
		h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write([]byte(g.seen.metrics()))
	case "/pertain":
		http.Redirect(w, r, "/pertain/", http.StatusMovedPermanently)
	case "/pertain/":
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		_, _ = w.Write(page)
	case "/pertain/state":
		h.Set("Content-Type", "application/json")
		_, _ = w.Write(g.seen.state())
	default:
		http.Error(w, "there is nothing here", http.StatusNotFound)
	}
}

// state is what the page shows.
func (s *seen) state() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	streams := make([]*live, 0, len(s.open))
	for l := range s.open {
		streams = append(streams, l)
	}
	slices.SortFunc(streams, func(a, b *live) int { return int(a.Number - b.Number) })
	last := slices.Clone(s.last)
	slices.Reverse(last)
	if last == nil {
		last = []intervention{}
	}
	text, err := json.Marshal(map[string]any{"version": s.version, "streams": streams, "interventions": last})
	if err != nil { // texts, numbers and times
		return []byte("{}")
	}
	return append(text, '\n')
}

// metrics are the numbers, for Prometheus.
func (s *seen) metrics() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	head := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	head("pertain_gateway_requests_total", "counter", "Requests to models whose answers were watched.")
	for _, api := range sortedKeys(s.requests) {
		fmt.Fprintf(&b, "pertain_gateway_requests_total{api=%q} %d\n", api, s.requests[api])
	}
	head("pertain_gateway_refused_total", "counter", "Requests that the gateway itself answered with an error.")
	for _, code := range sortedKeys(s.refusals) {
		fmt.Fprintf(&b, "pertain_gateway_refused_total{reason=%q} %d\n", code, s.refusals[code])
	}
	head("pertain_gateway_rules_total", "counter", "What rules did.")
	for _, action := range []Action{Interrupted, Reminded, Passed} {
		fmt.Fprintf(&b, "pertain_gateway_rules_total{action=%q} %d\n", string(action), s.actions[action])
	}
	head("pertain_gateway_heeded_total", "counter", "Interruptions by whether the model heeded the rule.")
	fmt.Fprintf(&b, "pertain_gateway_heeded_total{heeded=\"true\"} %d\npertain_gateway_heeded_total{heeded=\"false\"} %d\n", s.yes, s.no)
	head("pertain_gateway_streams", "gauge", "Requests that are being answered.")
	fmt.Fprintf(&b, "pertain_gateway_streams %d\n", len(s.open))
	return b.String()
}

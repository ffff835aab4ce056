package ask

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/pertain-dev/pertain/gateway"
)

// inside is the gateway's address. Nothing listens there: requests are handed over in
// this process.
const inside = "http://localhost"

// inward hands requests to a gateway in this process.
type inward struct {
	handler http.Handler
	version string
	heard   Listener
	running sync.WaitGroup // handlers

	mu   sync.Mutex
	body *body // of the answer under way; nil: there is none
}

// newInward is the way of one question.
func newInward(o Options, out http.RoundTripper, to Listener) *inward {
	way := &inward{version: o.Version, heard: to}
	o.Journal = noting{o.Journal, way}
	way.handler = o.gateway(out)
	return way
}

// client is one that asks the gateway. Redirects are never followed: they could lead the key elsewhere.
func (w *inward) client() *http.Client {
	return &http.Client{Transport: w, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// wait waits for what runs. The context of the requests must have ended.
func (w *inward) wait() { w.running.Wait() }

// sent are the headers that an upstream gets.
var sent = []string{"Accept", "Anthropic-Version", "Authorization", "Content-Type", "X-Api-Key"}

// RoundTrip is one request.
func (w *inward) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, stop := context.WithCancel(r.Context())
	request := r.Clone(ctx)
	request.Header = http.Header{"User-Agent": {"pertain/" + w.version}}
	for _, name := range sent {
		if values := r.Header.Values(name); len(values) > 0 {
			request.Header[name] = values
		}
	}
	request.Host = "localhost"
	b := newBody(stop, w.heard)
	w.mu.Lock()
	w.body = b
	w.mu.Unlock()
	answer := &writer{body: b, header: http.Header{}, begun: make(chan struct{})}
	w.running.Go(func() { answer.serve(w.handler, request) })
	select {
	case <-answer.begun:
	case <-ctx.Done():
		stop()
		return nil, ctx.Err()
	}
	return &http.Response{
		Status: http.StatusText(answer.status), StatusCode: answer.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: answer.header.Clone(), Body: b, ContentLength: -1, Request: r,
	}, nil
}

// note puts what a rule did into the answer, where it stands.
func (w *inward) note(n note) {
	w.mu.Lock()
	b := w.body
	w.mu.Unlock()
	if b != nil {
		b.note(n)
	}
}

// noting is a journal that also tells whoever listens to the answer.
type noting struct {
	gateway.Journal // nil: there is none

	way *inward
}

// Add adds entries.
func (j noting) Add(ctx context.Context, entries ...gateway.Entry) ([]string, error) {
	for _, e := range entries {
		j.way.note(note{e.Rule, e.Action})
	}
	if j.Journal == nil {
		return nil, nil
	}
	return j.Journal.Add(ctx, entries...)
}

// Heed says of entries whether the model has heeded the rules.
func (j noting) Heed(ctx context.Context, heeded bool, ids ...string) error {
	if j.Journal == nil {
		return nil
	}
	return j.Journal.Heed(ctx, heeded, ids...)
}

// writer is what the gateway writes its answer to.
type writer struct {
	body   *body
	header http.Header
	status int
	once   sync.Once
	begun  chan struct{}
	events bool
	lines  lines
}

// serve runs the handler to its end.
func (w *writer) serve(handler http.Handler, r *http.Request) {
	err := io.EOF
	defer func() {
		// That is how a handler of net/http breaks a connection off.
		if cut := recover(); cut != nil {
			if broken, ok := cut.(error); !ok || !errors.Is(broken, http.ErrAbortHandler) {
				panic(cut)
			}
			err = io.ErrUnexpectedEOF
		}
		w.WriteHeader(http.StatusOK)
		w.body.end(err)
	}()
	handler.ServeHTTP(w, r)
}

// Header is what is told before the answer.
func (w *writer) Header() http.Header { return w.header }

// WriteHeader begins the answer.
func (w *writer) WriteHeader(status int) {
	w.once.Do(func() {
		w.status = status
		w.events = isEvents(w.header)
		close(w.begun)
	})
}

// Write is a part of the answer.
func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	data := p
	if w.events {
		data = w.lines.fields(p)
	}
	return len(p), w.body.add(data)
}

// Flush does nothing: every part is handed over at once.
func (w *writer) Flush() { w.WriteHeader(http.StatusOK) }

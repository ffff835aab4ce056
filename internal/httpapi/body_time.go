package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// streamed lets a handler answer for as long as it likes, until the server ends.
func (s *Server) streamed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Time{}) // a connection that has none needs no extension
		if r.ContentLength == 0 {
			_ = control.SetReadDeadline(time.Time{})
		} else {
			_ = control.SetReadDeadline(time.Now().Add(s.limits.Time))
			r.Body = &timedBody{r.Body, func() { _ = control.SetReadDeadline(time.Time{}) }}
		}
		ctx, stop := context.WithCancel(r.Context())
		defer stop()
		defer context.AfterFunc(s.events.ctx, stop)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// held counts what messages take up. Streams of events, which are asked for with
// GET, hold nothing and may last.
func (s *Server) held(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		if !enter(s.open) {
			hurry(w, r)
			writeError(w, errBusy)
			return
		}
		defer leave(s.open)
		h := &holding{memoryBudget: s.memoryBudget}
		defer h.leave()
		r.Body = &heldBody{ReadCloser: r.Body, holding: h, limit: s.limits.Body}
		next.ServeHTTP(w, r)
	})
}

// timedBody calls arrived when it has been read to its end.
type timedBody struct {
	io.ReadCloser
	arrived func()
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.arrived()
	}
	return n, err
}

// hurry is for requests whose body nobody wants: net/http reads some of it before
// it sends the answer, so that clients which send first and read then get it.
func hurry(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(unwantedTime))
	}
}

// unwantedTime is how long a body may take that is not looked at.
const unwantedTime = 2 * time.Second

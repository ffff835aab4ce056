package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
)

// route is one row of the API. The OpenAPI description is made of it.
type route struct {
	method  string
	path    string
	summary string
	in, out reflect.Type // of the query or body, and of the answer
	inTurn  bool         // it reads rules, which few do at the same time

	// read takes the input from a request and returns what is to be done. It may
	// wait for a slow client; the work does not.
	read func(s *Server, r *http.Request) (work, error)
}

// work makes the answer to a request that has been read.
type work func(ctx context.Context) (any, error)

// get is a route whose input is in the query.
func get[In, Out any](path, summary string, handle func(*Server, context.Context, In) (Out, error)) route {
	return newRoute(http.MethodGet, path, summary, handle, func(r *http.Request) (in In, err error) {
		err = readQuery(r.URL.RawQuery, &in)
		return in, err
	})
}

// post is a route whose input is a JSON document.
func post[In, Out any](path, summary string, handle func(*Server, context.Context, In) (Out, error)) route {
	return newRoute(http.MethodPost, path, summary, handle, readBody[In])
}

func newRoute[In, Out any](method, path, summary string, handle func(*Server, context.Context, In) (Out, error), read func(*http.Request) (In, error)) route {
	return route{
		method: method, path: path, summary: summary, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		read: func(s *Server, r *http.Request) (work, error) {
			in, err := read(r)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context) (any, error) { return handle(s, ctx, in) }, nil
		},
	}
}

// inTurn makes a route one that reads rules.
func inTurn(r route) route {
	r.inTurn = true
	return r
}

// answer runs a route under the limits. A client that sends or reads slowly keeps
// one of many slots, and none of the few in which answers are made.
func (s *Server) answer(r route) http.Handler {
	return s.measured(r.path, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !enter(s.open) {
			hurry(w, req)
			writeError(w, errBusy)
			return
		}
		defer leave(s.open)
		h := &holding{memoryBudget: s.memoryBudget}
		defer h.leave()
		req = req.WithContext(context.WithValue(req.Context(), holdingKey{}, h))
		var do work
		if !s.receive(w, req, h, func(req *http.Request) (err error) {
			do, err = r.read(s, req)
			return err
		}) {
			return
		}
		if !enter(s.slots) {
			writeError(w, errBusy)
			return
		}
		answer := s.make(req.Context(), r, do)
		h.leave()
		if size := int64(len(answer.text)); size > s.limits.Answer {
			answer = replyError(fail(http.StatusInternalServerError, "answer_too_large", "the answer would have more than %d bytes", s.limits.Answer))
		} else if !h.take(size - freeBytes) {
			answer = replyError(errBusy)
		}
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.limits.Time))
		answer.write(w)
	}))
}

// receive reads a request under the limits. false: it is refused, and the client was told.
func (s *Server) receive(w http.ResponseWriter, req *http.Request, h *holding, read func(*http.Request) error) bool {
	if req.ContentLength > s.limits.Body { // not to be waited for
		hurry(w, req)
		writeError(w, &http.MaxBytesError{Limit: s.limits.Body})
		return false
	}
	arriving := req.Body
	req.Body = &heldBody{ReadCloser: arriving, holding: h, limit: s.limits.Body}
	control := http.NewResponseController(w)
	if req.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(s.limits.Time)) // a connection that has no deadlines needs none
	}
	if err := read(req); err != nil {
		if errors.Is(err, errBusy) {
			_, _ = io.Copy(io.Discard, arriving) // many clients look for an answer only when all is sent
		}
		writeError(w, err)
		return false
	}
	if req.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Time{}) // one that passes while the answer is made would end the request
	}
	return true
}

// enter takes a slot, if there is one.
func enter(slots chan struct{}) bool {
	select {
	case slots <- struct{}{}:
		return true
	default:
		return false
	}
}

func leave(slots chan struct{}) { <-slots }

// make makes the answer in the slot that was entered, and leaves it.
func (s *Server) make(ctx context.Context, of route, do work) (answer reply) {
	returned := false
	defer func() {
		leave(s.slots)
		if !returned { // a mistake of this program: net/http lets nobody know of it
			s.logger.Error("a request failed", "path", of.path, "stack", stack())
		}
	}()
	ctx, stop := context.WithTimeout(ctx, s.limits.Time)
	defer stop()
	if of.inTurn {
		select {
		case s.turns <- struct{}{}:
			defer leave(s.turns) // when the answer is text: until then it holds the rules
		case <-ctx.Done():
			returned = true
			return replyError(ctx.Err())
		}
	}
	out, err := do(ctx)
	if err = cmp.Or(err, ctx.Err()); err != nil { // there is no time left to write it either
		answer = replyError(err)
	} else {
		answer = replyJSON(http.StatusOK, out)
	}
	returned = true
	return answer
}

// stack names the functions that are under way, innermost first: no values, which
// may be what is on the screen.
func stack() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	var names []string
	for {
		frame, more := frames.Next()
		names = append(names, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		if !more {
			return strings.Join(names, " < ")
		}
	}
}

// apiError is an answer that says what is wrong with a request.
type apiError struct {
	status  int
	code    string
	message string
	nearest []string // what was probably meant
	missing []string // what the user has not agreed to
}

func (e *apiError) Error() string { return e.message }

func fail(status int, code, format string, args ...any) *apiError {
	return &apiError{status: status, code: code, message: diag.Sentence(format, args...)}
}

// ContextError is why a [Workspace] has no context, in words that hold none of
// it. Clients are told.
type ContextError struct{ Reason string }

func (e *ContextError) Error() string { return e.Reason }

// problemJSON is the form of every error.
type problemJSON struct {
	Error problemText `json:"error"`
}

type problemText struct {
	Code    string   `json:"code" jsonschema:"a word for programs"`
	Message string   `json:"message" jsonschema:"one sentence for people"`
	Nearest []string `json:"nearest,omitempty" jsonschema:"what was probably meant: ids of strategies, or names of rules"`
	Missing []string `json:"missing,omitempty" jsonschema:"with the code agreement: what would be sent that the user has not agreed to, in sentences to show"`
}

// replyError says what is wrong. Of an error that is not ours nothing is shown,
// since its text may hold what is on the screen.
func replyError(err error) reply {
	var own *apiError
	var heavy *heavyError
	var large *http.MaxBytesError
	var missing *ContextError
	switch {
	case errors.As(err, &own):
	case errors.Is(err, errBusy):
		own = fail(http.StatusServiceUnavailable, "busy", "%s", errBusy.Error())
	case errors.As(err, &heavy):
		own = fail(http.StatusRequestEntityTooLarge, "too_large", "%s", heavy.Error())
	case errors.As(err, &large):
		own = fail(http.StatusRequestEntityTooLarge, "too_large", "the request is larger than %d bytes", large.Limit)
	case errors.As(err, &missing):
		own = fail(http.StatusInternalServerError, "no_context", "there is no context: %s", missing.Reason)
	case errors.Is(err, context.DeadlineExceeded):
		own = fail(http.StatusGatewayTimeout, "timeout", "the answer took too long")
	case errors.Is(err, context.Canceled):
		own = fail(http.StatusServiceUnavailable, "canceled", "the request was ended")
	default:
		own = fail(http.StatusInternalServerError, "internal", "the answer could not be made")
	}
	answer := replyJSON(own.status, problemJSON{problemText{own.code, own.message, own.nearest, own.missing}})
	answer.again = errors.Is(err, errBusy)
	return answer
}

func writeError(w http.ResponseWriter, err error) { replyError(err).write(w) }

func writeJSON(w http.ResponseWriter, status int, value any) { replyJSON(status, value).write(w) }

// reply is an answer that is ready to be sent.
type reply struct {
	status int
	text   []byte
	again  bool // the client may try again soon
}

func replyJSON(status int, value any) reply {
	text, err := encode(value)
	if err != nil {
		return reply{status: http.StatusInternalServerError, text: []byte(`{"error":{"code":"internal","message":"the answer could not be written"}}`)}
	}
	return reply{status: status, text: text}
}

func (a reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(a.text)))
	if a.again {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.text) // a client that is gone needs no answer
}

// appender writes its own JSON, with markup escaped.
type appender interface {
	AppendJSON(b []byte) ([]byte, error)
}

// encode makes JSON in which nothing can be taken for markup.
func encode(value any) ([]byte, error) {
	if own, ok := value.(appender); ok {
		text, err := own.AppendJSON(make([]byte, 0, 16<<10)) // some thirty candidates
		return append(visible.JSON(text), '\n'), err
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(true)
	err := encoder.Encode(value)
	return visible.JSON(b.Bytes()), err
}

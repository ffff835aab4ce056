package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// route is one row of the API. The OpenAPI description is made of it.
type route struct {
	method  string
	path    string
	summary string
	in, out reflect.Type // of the query or body, and of the answer
	handle  func(s *Server, ctx context.Context, r *http.Request) (any, error)
}

// get is a route whose input is in the query.
func get[In, Out any](path, summary string, handle func(*Server, context.Context, In) (Out, error)) route {
	return newRoute(http.MethodGet, path, summary, handle, func(r *http.Request, in any) error { return readQuery(r.URL.RawQuery, in) })
}

// post is a route whose input is a JSON document.
func post[In, Out any](path, summary string, handle func(*Server, context.Context, In) (Out, error)) route {
	return newRoute(http.MethodPost, path, summary, handle, readBody)
}

func newRoute[In, Out any](method, path, summary string, handle func(*Server, context.Context, In) (Out, error), read func(*http.Request, any) error) route {
	return route{
		method: method, path: path, summary: summary, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		handle: func(s *Server, ctx context.Context, r *http.Request) (any, error) {
			var in In
			if err := read(r, &in); err != nil {
				return nil, err
			}
			return handle(s, ctx, in)
		},
	}
}

// answer runs a route under the limits.
func (s *Server) answer(r route) http.Handler {
	return s.measured(r.path, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		default:
			w.Header().Set("Retry-After", "1")
			writeError(w, fail(http.StatusServiceUnavailable, "busy", "too many requests at the same time; try again"))
			return
		}
		ctx, stop := context.WithTimeout(req.Context(), s.limits.Time)
		defer stop()
		out, err := r.handle(s, ctx, req)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, out)
	}))
}

// apiError is an answer that says what is wrong with a request.
type apiError struct {
	status  int
	code    string
	message string
}

func (e *apiError) Error() string { return e.message }

func fail(status int, code, format string, args ...any) *apiError {
	return &apiError{status, code, fmt.Sprintf(format, args...)}
}

// problemJSON is the form of every error.
type problemJSON struct {
	Error problemText `json:"error"`
}

type problemText struct {
	Code    string `json:"code" jsonschema:"a word for programs"`
	Message string `json:"message" jsonschema:"one sentence for people"`
}

// writeError answers with an error. Of an error that is not ours nothing is
// shown, since its text may hold what is on the screen.
func writeError(w http.ResponseWriter, err error) {
	var own *apiError
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &own):
	case errors.As(err, &large):
		own = fail(http.StatusRequestEntityTooLarge, "too_large", "the request is larger than %d bytes", large.Limit)
	case errors.Is(err, context.DeadlineExceeded):
		own = fail(http.StatusGatewayTimeout, "timeout", "the answer took too long")
	case errors.Is(err, context.Canceled):
		own = fail(http.StatusServiceUnavailable, "canceled", "the request was ended")
	default:
		own = fail(http.StatusInternalServerError, "internal", "the answer could not be made")
	}
	writeJSON(w, own.status, problemJSON{problemText{own.code, own.message}})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(true) // nothing in an answer can be taken for markup
	if err := encoder.Encode(value); err != nil {
		status = http.StatusInternalServerError
		b.Reset()
		b.WriteString(`{"error":{"code":"internal","message":"the answer could not be written"}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a client that is gone needs no answer
}

// readBody decodes a JSON document strictly: a misspelt field is an error.
func readBody(r *http.Request, in any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return fail(http.StatusUnsupportedMediaType, "content_type", "send JSON, with `Content-Type: application/json`")
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(in)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			return fail(http.StatusBadRequest, "bad_json", "send one JSON document, and nothing after it")
		}
		return nil
	}
	return wordDecoding(err)
}

// wordDecoding says what is wrong with a document without repeating any of it.
func wordDecoding(err error) error {
	var large *http.MaxBytesError
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &large):
		return err
	case errors.As(err, &syntax):
		return fail(http.StatusBadRequest, "bad_json", "this is not JSON: it goes wrong at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fail(http.StatusBadRequest, "bad_field", "`%s` must be %s", kind.Field, kindName(kind.Type))
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return fail(http.StatusBadRequest, "unknown_field", "there is a field that this address does not know; see /api/v1/openapi.json")
	}
	return fail(http.StatusBadRequest, "bad_json", "this is not one complete JSON document")
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a number"
}

// readQuery fills the fields of a struct from a query, by their JSON names.
// Fields are strings, booleans and lists of strings.
func readQuery(raw string, in any) error {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return fail(http.StatusBadRequest, "bad_query", "the query of the address is not well formed")
	}
	v := reflect.ValueOf(in).Elem()
	for i := range v.NumField() {
		name := jsonName(v.Type().Field(i))
		given, ok := values[name]
		delete(values, name)
		if !ok {
			continue
		}
		switch field := v.Field(i); field.Kind() {
		case reflect.Slice:
			field.Set(reflect.ValueOf(given))
		case reflect.Bool:
			b, err := strconv.ParseBool(given[0])
			if err != nil {
				return fail(http.StatusBadRequest, "bad_field", "`%s` must be true or false", name)
			}
			field.SetBool(b)
		default:
			field.SetString(given[0])
		}
	}
	if len(values) > 0 {
		return fail(http.StatusBadRequest, "unknown_field", "there is a parameter that this address does not know; see /api/v1/openapi.json")
	}
	return nil
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

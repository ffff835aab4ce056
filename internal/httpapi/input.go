package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// scanned is an input that can be read without reflection, where requests are
// many. It answers false for whatever is not quite right.
type scanned interface {
	scan(r *jsonscan.Reader) bool
}

// readBody decodes a JSON object strictly: a misspelt field is an error, and so
// is one that is given twice.
func readBody[In any](r *http.Request) (in In, err error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return in, fail(http.StatusUnsupportedMediaType, "content_type", "send JSON, with `Content-Type: application/json`")
	}
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), 64<<10)) + bytes.MinRead) // what is announced need not come
	if _, err := body.ReadFrom(r.Body); err != nil {
		return in, wordReading(err)
	}
	if quick, ok := any(&in).(scanned); ok && utf8.Valid(body.Bytes()) {
		if text := jsonscan.New(body.String()); quick.scan(text) && text.End() {
			return in, nil
		}
		var fresh In
		in = fresh
	}
	if err := checkObject(body.Bytes(), jsonNames(reflect.TypeFor[In]())); err != nil {
		return in, err
	}
	if err := json.Unmarshal(body.Bytes(), &in); err != nil {
		return in, wordDecoding(err)
	}
	return in, nil
}

// wordReading says why a body did not come.
func wordReading(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fail(http.StatusRequestTimeout, "timeout", "the request did not arrive in time")
	}
	return fail(http.StatusBadRequest, "bad_json", "the request ended before its body did")
}

// checkObject holds that a text is one JSON object with fields of these names,
// each at most once. Messages repeat nothing of the text.
func checkObject(text []byte, names []string) error {
	if !json.Valid(text) {
		return wordDecoding(json.Unmarshal(text, new(json.RawMessage)))
	}
	r := jsonscan.New(string(text))
	if r.Next() != '{' {
		return fail(http.StatusBadRequest, "bad_json", "send a JSON object; see /api/v1/openapi.json")
	}
	var problem error
	seen := map[string]bool{}
	whole := r.Object(func(key string) bool {
		switch {
		case !slices.Contains(names, key):
			problem = fail(http.StatusBadRequest, "unknown_field", "there is a field that this address does not know; see /api/v1/openapi.json")
		case seen[key]:
			problem = fail(http.StatusBadRequest, "bad_field", "`%s` is given more than once", key)
		}
		seen[key] = true
		_, ok := r.Raw()
		return ok && problem == nil
	})
	if problem == nil && !whole {
		return fail(http.StatusBadRequest, "bad_json", "this is not one complete JSON document") // never: it is JSON
	}
	return problem
}

// wordDecoding says what is wrong with a document without repeating any of it.
func wordDecoding(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "max depth"):
		return fail(http.StatusBadRequest, "bad_json", "this JSON is nested too deeply")
	case errors.As(err, &syntax):
		return fail(http.StatusBadRequest, "bad_json", "this is not one complete JSON document: it goes wrong at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		name := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:] // what is before it are names of this package's types
		return fail(http.StatusBadRequest, "bad_field", "`%s` must be %s", name, kindName(kind.Type))
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
		field := v.Field(i)
		if field.Kind() != reflect.Slice && len(given) > 1 {
			return fail(http.StatusBadRequest, "bad_field", "`%s` is given more than once", name)
		}
		switch field.Kind() {
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

// jsonNames are the names of a struct's fields, those of embedded ones included.
func jsonNames(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			out = append(out, jsonNames(f.Type)...)
		} else {
			out = append(out, jsonName(f))
		}
	}
	return out
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

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
	"unicode/utf16"
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
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return in, fail(http.StatusUnsupportedMediaType, "content_encoding", "send the JSON as it is, without `Content-Encoding`")
	}
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), 64<<10)) + bytes.MinRead) // what is announced need not come
	if _, err := body.ReadFrom(r.Body); err != nil {
		return in, wordReading(err)
	}
	if !utf8.Valid(body.Bytes()) || halfCharacter(body.Bytes()) {
		return in, fail(http.StatusBadRequest, "bad_json", "the text is not Unicode: write it as UTF-8, and `\\u` escapes above U+FFFF in pairs")
	}
	if quick, ok := any(&in).(scanned); ok {
		if text := jsonscan.New(body.String()); quick.scan(text) && text.End() {
			return in, nil
		}
		var fresh In
		in = fresh
	}
	if err := checkObject(body.Bytes(), fieldsOf(reflect.TypeFor[In]())); err != nil {
		return in, err
	}
	if err := json.Unmarshal(body.Bytes(), &in); err != nil {
		return in, wordDecoding(err)
	}
	return in, nil
}

// halfCharacter tells whether an escape is one half of a character alone, for
// which the JSON package would put another character.
func halfCharacter(text []byte) bool {
	half := func(i int) rune { // the escape at an offset; 0: none
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return 0
		}
		n, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
		if err != nil {
			return 0
		}
		return rune(n)
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch r := half(i); {
		case !utf16.IsSurrogate(r):
			i++ // the escaped character may be a backslash
		case utf16.DecodeRune(r, half(i+6)) == utf8.RuneError:
			return true
		default:
			i += 11
		}
	}
	return false
}

// wordReading says why a body did not come.
func wordReading(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large), errors.Is(err, errBusy):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fail(http.StatusRequestTimeout, "timeout", "the request did not arrive in time")
	}
	return fail(http.StatusBadRequest, "bad_json", "the request ended before its body did")
}

// checkObject holds that a text is one JSON object with these fields, each at most
// once and those that must be there at all. Messages repeat nothing of the text.
func checkObject(text []byte, fields []inputField) error {
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
		case !slices.ContainsFunc(fields, func(f inputField) bool { return f.name == key }):
			problem = fail(http.StatusBadRequest, "unknown_field", "there is a field that this address does not know; it takes %s", listed(fields))
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
	for _, f := range fields {
		if problem == nil && f.required && !seen[f.name] {
			problem = missing(f.name)
		}
	}
	return problem
}

func missing(name string) error {
	return fail(http.StatusBadRequest, "bad_field", "`%s` is missing", name)
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
	var absent error
	for i := range v.NumField() {
		name := jsonName(v.Type().Field(i))
		given, ok := values[name]
		delete(values, name)
		if !ok {
			if required(v.Type().Field(i)) && absent == nil {
				absent = missing(name) // a misspelt one is told first
			}
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
		return unknownParameter(fieldsOf(v.Type()))
	}
	return absent
}

func unknownParameter(fields []inputField) error {
	return fail(http.StatusBadRequest, "unknown_field", "there is a parameter that this address does not know; it takes %s", listed(fields))
}

// inputField is a field of a body, or a parameter.
type inputField struct {
	name     string
	required bool
}

// fieldsOf are a struct's fields, those of embedded ones included.
func fieldsOf(t reflect.Type) []inputField {
	var out []inputField
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			out = append(out, fieldsOf(f.Type)...)
		} else {
			out = append(out, inputField{jsonName(f), required(f)})
		}
	}
	return out
}

// required is what the description says too: whatever may not be left out.
func required(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")
}

func listed(fields []inputField) string {
	if len(fields) == 0 {
		return "none"
	}
	var names []string
	for _, f := range fields {
		names = append(names, "`"+f.name+"`")
	}
	return strings.Join(names, ", ")
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

package sse_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// TestList: the bytes of the items together are those of the list, in every chunking, and each has its data.
func TestList(t *testing.T) {
	for text, want := range map[string]string{
		"[]":     "",
		"[{}]\n": "{}||",
		" [{\"a\":\"]}\\\"\"}\n,\r\n{\"b\":[1]}\n]": "{\"a\":\"]}\\\"\"}|{\"b\":[1]}|",
		"[{}":        "{}",
		"[{\"a\":":   "{\"a\":",
		"\ufeff[{}]": "{}|",
	} {
		for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
			r := sse.NewListReader(source, 1<<10)
			var raw, data []string
			for {
				e, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				raw, data = append(raw, string(e.Raw)), append(data, string(e.Data))
			}
			if got := strings.Join(raw, ""); got != text {
				t.Errorf("%q: %q", text, raw)
			}
			if got := strings.Join(data, "|"); got != want {
				t.Errorf("%q: %q, not %q", text, got, want)
			}
		}
	}
	r := sse.NewListReader(strings.NewReader("[{\""+strings.Repeat("x", 1<<14)), 1<<10)
	if _, err := r.Next(); !errors.Is(err, sse.ErrTooLong) {
		t.Error(err)
	}
}

// TestNoList: what is no list of objects ends the stream before any of it is given that somebody may read as events.
func TestNoList(t *testing.T) {
	for text, want := range map[string]string{
		"[\n\ndata: {}\n\n": "", "[]\n\ndata: {}": "[]", "[{}\n\ndata: {}": "[{}", "[\"\n\ndata: {}": "", "[[{}]]": "", "[1]": "", "[{}] [{}]": "[{}]", "[{}]{}": "[{}]", "[,[": "", ",[": "",
	} {
		for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			r := sse.NewListReader(source, 1<<10)
			var raw strings.Builder
			e, err := r.Next()
			for ; err == nil; e, err = r.Next() {
				raw.Write(e.Raw)
			}
			if raw.String() != want || !errors.Is(err, sse.ErrNoList) {
				t.Errorf("%q: %q, %v", text, raw.String(), err)
			}
		}
	}
}

// TestEmptyItems: items with nothing in them are given as they come, by whole readings, and no byte of them is lost.
func TestEmptyItems(t *testing.T) {
	const many = 64 << 10
	for _, text := range []string{
		"[{}" + strings.Repeat(",{}", many) + "]", "[{}" + strings.Repeat(", { \n}", many), "[{\"a\":1}" + strings.Repeat(",{}", many) + ",{\"b\":2}" + strings.Repeat(",{}", many) + "]\n",
	} {
		r := sse.NewListReader(strings.NewReader(text), 1<<10)
		var raw strings.Builder
		events, data := 0, ""
		e, err := r.Next()
		for ; err == nil; e, err = r.Next() {
			events++
			raw.Write(e.Raw)
			data += string(e.Data)
		}
		if raw.String() != text || !errors.Is(err, io.EOF) {
			t.Errorf("%.20q: other bytes came out, %v", text, err)
		}
		if want := map[bool]string{true: "{}", false: `{"a":1}{"b":2}`}[text[2] == '}']; data != want {
			t.Errorf("%.20q: %q", text, data)
		}
		if most := len(text)/1000 + 8; events > most {
			t.Errorf("%.20q: %d events, more than %d", text, events, most)
		}
	}
}

// TestWithLines: data of several lines stays one event.
func TestWithLines(t *testing.T) {
	e, err := sse.NewReader(strings.NewReader("event: x\ndata: {\ndata: }\n\n"), 1<<10, new(sse.Buffers)).Next()
	if err != nil {
		t.Fatal(err)
	}
	again, err := sse.NewReader(strings.NewReader(string(e.With(e.Data))), 1<<10, new(sse.Buffers)).Next()
	if err != nil || string(again.Data) != "{\n}" || string(again.Name) != "x" {
		t.Errorf("%v %q", err, again.Raw)
	}
}

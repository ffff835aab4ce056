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
		"[1, \"x\", {}]": "{}|",
		"[{}":            "{}",
		"[{\"a\":":       "{\"a\":",
		"[{}] [{}]":      "{}||{}|",
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

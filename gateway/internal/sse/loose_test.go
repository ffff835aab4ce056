package sse_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// readLoosely gives what each of the ways of reading finds in a stream, and whether some event of it is odd.
func readLoosely(t *testing.T, text string, size int) (found []string, odd bool) {
	t.Helper()
	ways := sse.Ways()
	found = make([]string, len(ways))
	r := sse.NewReader(&pieces{text: text, size: size}, 1<<20, new(sse.Buffers))
	for {
		e, err := r.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		end := err != nil
		odd = odd || e.Odd || e.Mixed && e.Name == nil
		for i, way := range ways {
			for _, frame := range way.Read(e.Raw, e.Rest || end) {
				found[i] += string(frame.Name) + "|" + string(frame.Data) + "\n"
			}
		}
		if end {
			return found, odd
		}
	}
}

// TestLoose: each way finds what its clients do, however the stream is cut, and what they differ in is odd.
func TestLoose(t *testing.T) {
	const none = "-"
	for _, tt := range []struct {
		text string
		want [5]string // marked, trimmed, of Python's lines, of line feeds, blocks; "": as the first
		odd  bool
	}{
		{"data: {}\n\ndata: {\"a\":1}\r\n\r\ndata:{}\r\r", [5]string{"|{} |{\"a\":1} |{}", "", "", "|{} |{\"a\":1} |{}", ""}, false},
		{": x\n\ndata: {}\n\n\n", [5]string{"|{}"}, false},
		{"\ufeffdata: {}\n\ndata: {}\n\n", [5]string{"|{} |{}", "", "|{}", "|{}", ""}, false}, // which Python's fail at
		{"data: 1\n\n\ufeffdata: {}\n\n", [5]string{"|1 |{}", "", "|1", "|1", ""}, true},
		{"event: a\n\ufeffdata: {}\n\n", [5]string{"a|{}", "", none, none, none}, true},
		{" data: {}\n\n", [5]string{none, "|{}", none, none, "|{}"}, true},
		{"data: 1\ndata: 2\n\n", [5]string{"|1\n2", "|1 |2", "|1 |2", "|1 |2", "|1\ndata: 2"}, true},
		{"data: 1\n{\"a\":\n\"{}\"}\n\n", [5]string{"|1", "", "|1 |{\"a\":\"{}\"}", "|1 |{\"a\":\"{}\"}", "|1\n{\"a\":\n\"{}\"}"}, true},
		{"data: {\"a\":\r1}\n\n", [5]string{"|{\"a\":", "", "", "|{\"a\":\r1}", "|{\"a\":\r1}"}, true},
		{"data: {\n\r\n}\n\n", [5]string{"|{", "", "", "", "|{\n\r\n}"}, true},
		{"id: 1\u2028data: {}\n\n", [5]string{none, none, "|{}", none, none}, true},
		{": x\ndata: {}\n\n", [5]string{"|{}", "", "", "", none}, true},
		{"event: x\x1edata: {}\n\n", [5]string{none, none, "|{}", none, none}, true},
		{"}{\n{}\n\n", [5]string{none, none, "|{}", "|{}", none}, true},
		{"data: {}", [5]string{"|{}"}, true},
	} {
		for size := 1; size <= len(tt.text); size++ {
			found, odd := readLoosely(t, tt.text, size)
			if odd != tt.odd {
				t.Errorf("%q in pieces of %d: odd %v", tt.text, size, odd)
			}
			for i, got := range found {
				want := tt.want[i]
				if want == "" {
					want = tt.want[0]
				}
				if want == none {
					want = ""
				}
				if got = strings.TrimSuffix(got, "\n"); strings.ReplaceAll(got, "\n|", " |") != want {
					t.Errorf("%q in pieces of %d, way %d: %q, not %q", tt.text, size, i, got, want)
				}
			}
		}
	}
}

// FuzzLoose holds for any bytes that no way of reading depends on how they were cut, and that those of which no event is odd are
// the same to all.
func FuzzLoose(f *testing.F) {
	for _, text := range []string{"event: a\ndata: {}\n\n", "data: b\r\n\r\n: c\r\rdata", "\ufeff\n\r\n\n", "data:x\n{\n}\n\n\n", "data: {}\n\n\n: x\n\ndata: 1\n\n"} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		whole, _ := readLoosely(t, text, len(text)+1)
		cut, _ := readLoosely(t, text, 1+int(uint(size)%7))
		if fmt.Sprintf("%q", whole) != fmt.Sprintf("%q", cut) {
			t.Fatalf("%q, and %q", whole, cut)
		}
	})
}

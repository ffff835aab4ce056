package lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestReadFrame(t *testing.T) {
	for in, want := range map[string]string{
		"Content-Length: 2\r\n\r\n{}": "{}",
		"content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  2 \r\n\r\n{}": "{}",
		"Content-Length: 2\n\n{}":     "{}",
		"Content-Length: 0\r\n\r\n":   "",
		"Content-Length: 3\r\n\r\n{}": "unexpected EOF",
		"Content-Length: 2\r\n":       "unexpected EOF",
		"Content-Len":                 "unexpected EOF",
		"":                            "EOF",
		"\r\n{}":                      "the editor sent a line that is no header",
		"hello\r\n":                   "the editor sent a line that is no header",
		"Content-Length: x\r\n\r\n":   "the editor sent a Content-Length that is no number",
		"Content-Length: -1\r\n\r\n":  "the editor sent a Content-Length that is no number",
		"Content-Length: 99999999999999999999\r\n\r\n":      "the editor sent a Content-Length that is no number",
		"Content-Length: 9223372036854775807\r\n\r\n":       "the editor sent a message of more than 32 MiB",
		"A: " + strings.Repeat("x", maxHeader):              "the editor sent headers that do not end",
		strings.Repeat("A: x\r\n", maxHeader) + "\r\n{}":    "the editor sent headers that do not end",
		"Content-Length: 1048576\r\n\r\n" + "only a little": "unexpected EOF",
	} {
		data, err := readFrame(bufio.NewReader(strings.NewReader(in)))
		got := string(data)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.40q: %q, want %q", in, got, want)
		}
	}
}

// FuzzReadFrame: whatever comes, reading ends, and what was read is what was sent.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\nx"))
	f.Add([]byte("content-length:2\n\n{}"))
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n"))
	f.Add([]byte("x: y\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bufio.NewReader(bytes.NewReader(data))
		total := 0
		for {
			message, err := readFrame(in)
			if err != nil {
				var wrong frameError
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &wrong) {
					t.Fatal(err)
				}
				break
			}
			if total += len(message); total > len(data) {
				t.Fatal("more was read than there is")
			}
		}
		again, err := readFrame(bufio.NewReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(data), data))))
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q: %v", again, err)
		}
	})
}

// TestFramesOneAtATime: the next message comes when the one before is done; a
// cancellation, and an answer, do not wait.
func TestFramesOneAtATime(t *testing.T) {
	var in bytes.Buffer
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`, `{"jsonrpc":"2.0","method":"b"}`, `{"jsonrpc":"2.0","id":2,"method":"c"}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`, `{"jsonrpc":"2.0","id":7,"result":null}`, `[]`, `not JSON`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	var out bytes.Buffer
	f := newFrames(&in, &out)
	recv := func(part string) {
		t.Helper()
		if data, err := f.Recv(); err != nil || !strings.Contains(string(data), part) {
			t.Fatalf("%s, %v; want %s", data, err, part)
		}
	}
	f.mu.Lock()
	for f.ended == nil {
		f.changed.Wait() // so that the order below does not depend on who is faster
	}
	f.mu.Unlock()
	recv("cancelRequest")
	recv("result")
	recv(`"a"`)
	_ = f.Send([]byte(`{"jsonrpc":"2.0","method":"push"}`)) // no answer
	if !f.busy {
		t.Fatal("a notification of the server let the next message through")
	}
	_ = f.Send([]byte(`{"jsonrpc":"2.0","id":7,"error":{}}`)) // of what has no turn
	_ = f.Send([]byte(`{"jsonrpc":"2.0","id":null,"error":{}}`))
	f.done("")
	if !f.busy {
		t.Fatal("another answer let the next message through")
	}
	_ = f.Send([]byte(`{"jsonrpc":"2.0","id":1,"result":null}`))
	recv(`"b"`)
	f.done("")
	recv(`"c"`)
	if !f.wasCancelled("2") || f.wasCancelled("2") {
		t.Error("the cancellation of what waited is not known, or twice")
	}
	_ = f.Send([]byte(`{"jsonrpc":"2.0","id":2,"error":{}}`))
	recv("[]")
	recv("not JSON")
	if _, err := f.Recv(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

type output struct{ bytes.Buffer }

func (*output) Close() error { return nil }

// converse answers all that an input asks, and returns what was read and written.
func converse(t *testing.T, in io.Reader, limit int) (messages int, lines []string) {
	t.Helper()
	out := &output{}
	transport := &lineTransport{in: io.NopCloser(in), out: out, limit: limit}
	conn, err := transport.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for {
		message, err := conn.Read(t.Context())
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		messages++
		if request, ok := message.(*jsonrpc.Request); ok && request.ID.IsValid() {
			answer := &jsonrpc.Response{ID: request.ID, Result: json.RawMessage(`{"protocolVersion":"2025-03-26"}`)}
			if err := conn.Write(t.Context(), answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(t.Context()); err == nil {
		t.Fatal("a closed connection can be read")
	}
	if err := conn.Write(t.Context(), &jsonrpc.Request{Method: "x"}); err == nil {
		t.Fatal("a closed connection can be written to")
	}
	return messages, slices.Collect(strings.Lines(out.String()))
}

// FuzzTransport holds that whatever is sent, all that is written is JSON, every
// line of input gives at most one line of output, the session goes on, and how the
// input was cut into pieces does not count.
func FuzzTransport(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n", "garbage", "{", "[]", "null\n5\n", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n" + `[{"jsonrpc":"2.0","id":2,"method":"x"},{"jsonrpc":"2.0","id":2,"method":"x"},7]`,
		`{"jsonrpc":"2.0","id":"a\u0000\ud800","method":"x","params":[]}`, `{"jsonrpc":"2.0","id":3,"result":{}}`,
		`{"params":{"x":"` + strings.Repeat("y", 300) + `"},"method":"x","id":"last"}`,
		`{"id":1e400,"method":"x","jsonrpc":"2.0"}`, strings.Repeat("[", 300), `{"a":"\\","id":4,"b":"` + strings.Repeat(`\"`, 150) + `"}`,
		`{"jsonrpc":"2.0","id":1,"method":"x"}` + "\r\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		const limit, mark = 256, "the end of the input"
		input += "\n" + `{"jsonrpc":"2.0","id":"` + mark + `","method":"ping"}`
		messages, lines := converse(t, strings.NewReader(input), limit)
		if most := strings.Count(input, "\n") + 1; len(lines) > most || messages == 0 {
			t.Errorf("%d messages were read and %d lines written for %d lines", messages, len(lines), most)
		}
		for _, line := range lines {
			var one struct {
				Version string `json:"jsonrpc"`
				Error   *struct {
					Code    int
					Message string
				}
				Result json.RawMessage
			}
			var several []json.RawMessage
			if json.Unmarshal([]byte(line), &several) == nil && len(several) > 0 {
				continue
			}
			if err := json.Unmarshal([]byte(line), &one); err != nil || one.Version != "2.0" || one.Error == nil && one.Result == nil || one.Error != nil && one.Error.Code == 0 {
				t.Errorf("wrote %q: %v", line, err)
			}
		}
		if len(lines) == 0 || !strings.Contains(lines[len(lines)-1], mark) {
			t.Errorf("the last request was not answered: %q", lines)
		}
		if again, pieces := converse(t, iotest.OneByteReader(strings.NewReader(input)), limit); again != messages || !slices.Equal(pieces, lines) {
			t.Errorf("in pieces: %q, whole: %q", pieces, lines)
		}
	})
}

// TestLongLines holds that a line is kept up to its limit and not beyond.
func TestLongLines(t *testing.T) {
	message := `{"jsonrpc":"2.0","id":7,"method":"x"}`
	for _, end := range []string{"\n", "\r\n"} {
		if _, lines := converse(t, strings.NewReader(message+end), len(message)); len(lines) != 1 || !strings.Contains(lines[0], "result") {
			t.Errorf("at the limit: %q", lines)
		}
		if _, lines := converse(t, strings.NewReader(message+end), len(message)-1); len(lines) != 1 || !strings.Contains(lines[0], `"id":7,"error"`) {
			t.Errorf("over the limit: %q", lines)
		}
	}
	for _, answer := range []string{`{"jsonrpc":"2.0","id":7,"result":"`, `{"jsonrpc":"2.0","id":7,"error":"`} {
		if _, lines := converse(t, strings.NewReader(answer+strings.Repeat("x", 100)+"\"}\n"), 50); len(lines) != 0 {
			t.Errorf("an answer was answered: %q", lines)
		}
	}
}

// TestCancelledIsNotAnswered holds that nothing is said to a request that the
// client took back, that its id is free again, and that the end of the input does
// not wait for it.
func TestCancelledIsNotAnswered(t *testing.T) {
	out := &output{}
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"x"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"y"}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
	}
	in, feed := io.Pipe()
	conn, err := (&lineTransport{in: in, out: out, limit: 1000}).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read := func(line string) jsonrpc.Message {
		t.Helper()
		go func() { _, _ = io.WriteString(feed, line+"\n") }()
		message, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return message
	}
	answer := func(message jsonrpc.Message, result string) {
		t.Helper()
		if err := conn.Write(t.Context(), &jsonrpc.Response{ID: message.(*jsonrpc.Request).ID, Result: json.RawMessage(result)}); err != nil {
			t.Fatal(err)
		}
	}
	first := read(lines[0])
	read(lines[1])
	answer(first, `"first"`)
	answer(read(lines[2]), `"second"`)
	welcome := read(lines[3]) // the one request that cannot be taken back
	read(lines[4])
	answer(welcome, `"welcome"`)
	feed.Close()
	if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
	if want := `{"jsonrpc":"2.0","id":1,"result":"second"}` + "\n" + `{"jsonrpc":"2.0","id":2,"result":"welcome"}` + "\n"; out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

// TestEndAnswersForTheClient holds that a request of the server's own does not
// keep it from ending: the client can answer no more.
func TestEndAnswersForTheClient(t *testing.T) {
	out := &output{}
	conn, err := (&lineTransport{in: io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}`)), out: out, limit: 1000}).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id, err := jsonrpc.MakeID("ours")
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Write(t.Context(), &jsonrpc.Request{ID: id, Method: "roots/list"}); err != nil {
		t.Fatal(err)
	}
	message, err := conn.Read(t.Context())
	if refused, ok := message.(*jsonrpc.Response); err != nil || !ok || refused.ID != id || refused.Error == nil {
		t.Fatalf("got %v, %v", message, err)
	}
	if err := conn.Write(t.Context(), &jsonrpc.Response{ID: request.(*jsonrpc.Request).ID, Result: json.RawMessage("{}")}); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}

// TestTransportIsNotFlooded holds that requests which nobody answers are not read without end, be they many or large, and that the
// client is heard all the same while we wait for its answer.
func TestTransportIsNotFlooded(t *testing.T) {
	for name, c := range map[string]struct{ fill, want int }{"many": {0, maxUnanswered}, "large": {1 << 20, maxHeld >> 20}} {
		t.Run(name, func(t *testing.T) {
			in, feed := io.Pipe()
			go func() {
				for i := 0; ; i++ {
					if _, err := fmt.Fprintf(feed, `{"jsonrpc":"2.0","id":%d,"method":"ping","params":{"x":"%s"}}`+"\n", i, strings.Repeat("x", c.fill)); err != nil {
						return
					}
				}
			}()
			conn, err := (&lineTransport{in: in, out: &output{}, limit: maxMessage}).Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			read := func(ctx context.Context) *jsonrpc.Request {
				message, err := conn.Read(ctx)
				if err != nil {
					return nil
				}
				request, _ := message.(*jsonrpc.Request)
				return request
			}
			var first *jsonrpc.Request
			for i := range c.want {
				request := read(t.Context())
				if request == nil {
					t.Fatalf("request %d is not read", i)
				}
				if first == nil {
					first = request
				}
			}
			over, stop := context.WithCancel(t.Context())
			stop()
			for range 20 {
				if read(over) != nil {
					t.Fatal("more is read while nothing is answered")
				}
			}
			if err := conn.Write(t.Context(), &jsonrpc.Response{ID: first.ID, Result: json.RawMessage("{}")}); err != nil {
				t.Fatal(err)
			}
			if read(t.Context()) == nil || read(over) != nil {
				t.Error("an answer does not make room for one request")
			}
			id, err := jsonrpc.MakeID("roots")
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Write(t.Context(), &jsonrpc.Request{ID: id, Method: "roots/list"}); err != nil {
				t.Fatal(err)
			}
			if read(t.Context()) == nil {
				t.Error("the client is not heard")
			}
		})
	}
}

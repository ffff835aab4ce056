package sse_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// pieces is a reader that gives a text in pieces of at most so many bytes.
type pieces struct {
	text string
	size int
	err  error // at the end; nil: io.EOF
}

func (p *pieces) Read(to []byte) (int, error) {
	if p.text == "" {
		if p.err != nil {
			return 0, p.err
		}
		return 0, io.EOF
	}
	n := copy(to, p.text[:min(p.size, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

// told reads a stream and says what each event is, and what all were made of.
func told(source io.Reader, limit int) (events []string, raw string, err error) {
	r := sse.NewReader(source, limit, new(sse.Buffers))
	for {
		e, err := r.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return events, raw, err
		}
		e = e.Clone()
		if raw += string(e.Raw); e.Rest && e.Data == nil && e.Name == nil {
			continue // such as a line feed after a CR that was known to end an event
		}
		line := string(e.Name) + "|" + string(e.Data)
		if e.Data == nil {
			line += "(none)"
		}
		if e.Rest {
			line += "(rest)"
		}
		if line == "|(none)" && len(events) > 0 && events[len(events)-1] == line {
			continue // how many of them are one depends on how they come
		}
		events = append(events, line)
	}
}

func TestReader(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"named", "event: a\ndata: {}\n\n", []string{"a|{}"}},
		{"several lines of data", "data: a\ndata:b\ndata\n\n", []string{"|a\nb\n"}},
		{"a comment", ": alive\n\ndata: x\n\n", []string{"|(none)", "|x"}},
		{"CRLF", "event: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", []string{"a|b", "|c"}},
		{"CR", "data: b\r\rdata: c\r\r", []string{"|b", "|c"}},
		{"CR, then another", "data: b\r\r\ndata: c\n\n", []string{"|b", "|c"}},
		{"mixed", "data: b\r\n\ndata: c\n\r\n", []string{"|b", "|c"}},
		{"a mark", "\ufeffdata: b\n\n", []string{"|b"}},
		{"one blank only", "data:  b \n\n", []string{"| b "}},
		{"the last name counts", "event: a\nevent: b\ndata: c\n\n", []string{"b|c"}},
		{"other fields", "id: 1\nretry: 2\ndatas: no\ndata: c\n\n", []string{"|c"}},
		{"no end", "data: c\n\ndata: [DONE]", []string{"|c", "|[DONE](rest)"}},
		{"no empty line at the end", "data: [DONE]\n", []string{"|[DONE](rest)"}},
		{"empty lines", "\n\n\ndata: c\n\n\n", []string{"|(none)", "|c", "|(none)"}},
		{"comments and empty lines", "\n: a\n\n\r\n: b\r\r: c\ndata: d\n\n:\n\n: e\r\rid: 1\n\nevent: f\n\n", []string{"|(none)", "|d", "|(none)", "f|(none)"}},
	} {
		for size := 1; size <= len(tt.text)+1; size++ {
			got, raw, err := told(&pieces{text: tt.text, size: size}, 1<<20)
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) || raw != tt.text || err != nil {
				t.Errorf("%s in pieces of %d: %q of %q, %v", tt.name, size, got, raw, err)
			}
		}
	}
}

// TestReaderBroken: an event that was cut off is not given, and one that is too long
// ends the stream.
func TestReaderBroken(t *testing.T) {
	got, _, err := told(&pieces{text: "data: a\n\ndata: b\n", size: 3, err: io.ErrUnexpectedEOF}, 1<<20)
	if len(got) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
	got, _, err = told(io.MultiReader(strings.NewReader("data: a\n\ndata: "), endless{}), 1<<16)
	if len(got) != 1 || !errors.Is(err, sse.ErrTooLong) {
		t.Errorf("%q, %v", got, err)
	}
	// What is known of lines of data takes more room than short ones themselves.
	if got, _, err = told(strings.NewReader("data: a\n\n"+strings.Repeat("data:\n", 1000)+"\n"), 1<<13); len(got) != 1 || !errors.Is(err, sse.ErrTooLong) {
		t.Errorf("%q, %v", got, err)
	}
	if _, _, err = told(iotest.ErrReader(io.ErrNoProgress), 10); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestWith(t *testing.T) {
	for raw, want := range map[string]string{
		"event: a\ndata: b\n\n":            "event: a\ndata: NEW\n\n",
		": c\r\nid: 1\r\ndata: b\r\n\r\n":  ": c\r\nid: 1\r\ndata: NEW\r\n\r\n",
		"data: b\ndata: c\nevent: x\n\n":   "data: NEW\nevent: x\n\n",
		"data\n\n":                         "data: NEW\n\n",
		"\ufeffdata: b\n\n":                "data: NEW\n\n",
		"event: datas\ndatas: 1\ndata:1\n": "event: datas\ndatas: 1\ndata: NEW\n",
	} {
		if got := string(sse.Event{Raw: []byte(raw)}.With([]byte("NEW"))); got != want {
			t.Errorf("%q: %q", raw, got)
		}
	}
	if got := string(sse.Append(sse.Append(nil, "a", []byte("b")), "", []byte("c"))); got != "event: a\ndata: b\n\ndata: c\n\n" {
		t.Errorf("%q", got)
	}
}

// FuzzReader holds for any bytes that none is lost, and that what is told does not
// depend on how they were cut.
func FuzzReader(f *testing.F) {
	for _, text := range []string{"event: a\ndata: {}\n\n", "data: b\r\n\r\n: c\r\rdata", "\ufeff\n\r\n\n", "data:x\ndata: y\n\n\n"} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		whole, raw, err := told(strings.NewReader(text), 1<<20)
		if raw != text || err != nil {
			t.Fatalf("%q, %v", raw, err)
		}
		cut, raw, err := told(&pieces{text: text, size: 1 + int(uint(size)%7)}, 1<<20)
		if raw != text || err != nil || fmt.Sprint(cut) != fmt.Sprint(whole) {
			t.Fatalf("%q and %q of %q, %v", whole, cut, raw, err)
		}
	})
}

// TestReaderWaits: who waits for more with nothing left over holds no memory for it, and whatever comes is given.
func TestReaderWaits(t *testing.T) {
	events := []string{"data: a\n\n", "\n", "event: b\ndata: " + strings.Repeat("c", 3*sse.Piece) + "\n\n", "data: d\n\n"}
	source := &waiting{rest: events}
	r := sse.NewReader(source, 1<<20, new(sse.Buffers))
	for i, want := range events {
		if r.Ready() {
			t.Errorf("event %d is there before it came", i)
		}
		e, err := r.Next()
		if err != nil || string(e.Raw) != want {
			t.Errorf("event %d is %.40q, %v", i, e.Raw, err)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if source.most > 1 {
		t.Errorf("%d bytes were held", source.most)
	}
}

// waiting gives events of which each comes only after all of the one before was read.
type waiting struct {
	rest []string
	now  string
	most int // of the memory that was there to wait with
}

func (w *waiting) Read(to []byte) (int, error) {
	if w.now == "" {
		w.most = max(w.most, len(to))
		if len(w.rest) == 0 {
			return 0, io.EOF
		}
		w.now, w.rest = w.rest[0], w.rest[1:]
	}
	n := copy(to, w.now)
	w.now = w.now[n:]
	return n, nil
}

// TestReaderQuiet: lines that say nothing are given as they come, by whole readings, be they what they may.
func TestReaderQuiet(t *testing.T) {
	for _, line := range []string{"\n", "\r", "\r\n", ":\n\n", ":\r\r", "id\n\n"} {
		const many = 64 << 10
		text := "data: a\n\n" + strings.Repeat(line, many) + "data: b\n\n"
		r := sse.NewReader(strings.NewReader(text), 1<<20, new(sse.Buffers))
		var raw strings.Builder
		events := 0
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			events++
			raw.Write(e.Raw)
		}
		if raw.String() != text {
			t.Errorf("%q: other bytes came out", line)
		}
		if most := len(text)/sse.Piece*3 + 8; events > most {
			t.Errorf("%q: %d events, more than %d", line, events, most)
		}
	}
}

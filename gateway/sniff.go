package gateway

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode"

	"github.com/klauspost/compress/zstd"
	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// labelled tells whether an answer says of itself that it is a stream of events.
func labelled(response *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return kind == "text/event-stream"
}

// shape is in which form an answer arrives.
type shape uint8

const (
	documentShape shape = iota
	eventsShape
	listShape // Gemini: a list whose items are what the data of events would be
)

// shape tells in which form an answer arrives. Its first bytes count, which it waits for, and not what it says of itself:
// clients read what they asked for, and what they cannot read they may show.
func (x *exchange) shape(response *http.Response, asked bool) shape {
	body := &sniffed{ReadCloser: response.Body, buffers: &x.gateway.buffers}
	response.Body = body
	begin := body.beginning()
	_, lists := x.to.api.(geminiAPI)
	switch {
	case len(begin) > 0 && begin[0] == '[' && asked && lists:
		return listShape
	case len(begin) > 0 && (begin[0] == '{' || begin[0] == '['):
		return documentShape
	case begins(begin) || asked:
		return eventsShape
	}
	return documentShape
}

// begins tells whether a line is one of those that events begin with.
func begins(line []byte) bool {
	name, _, found := bytes.Cut(line, []byte(":"))
	if !found {
		return false
	}
	switch string(name) {
	case "", "data", "event", "id", "retry": // the first is a comment
		return true
	}
	return false
}

// stray is an event without data as it stands, and without escapes, where it has lines that are none of an event; "": it has none.
// Whoever gets no events may show them.
func stray(raw []byte) string {
	for line := range bytes.Lines(raw) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !begins(line) {
			if bytes.IndexByte(raw, '\\') < 0 {
				return string(raw)
			}
			return string(raw) + jsontext.Unescaped(raw)
		}
	}
	return ""
}

// sniffed is a body whose first bytes were looked at.
type sniffed struct {
	io.ReadCloser

	buffers *sse.Buffers
	memory  []byte // nil: all of it was given
	looked  []byte // the part of it that was read and not given
	err     error  // that came with it
}

// Read gives what was looked at, and then the rest.
func (s *sniffed) Read(p []byte) (int, error) {
	if s.memory == nil {
		return s.ReadCloser.Read(p)
	}
	n := copy(p, s.looked)
	if s.looked = s.looked[n:]; len(s.looked) > 0 {
		return n, nil
	}
	s.buffers.Give(s.memory)
	s.memory = nil
	return n, s.err
}

// mark is what a document or a stream may begin with, to say that it is UTF-8.
var mark = []byte("\ufeff")

// maxSpace is how much white space may stand before what is looked for.
const maxSpace = 1 << 10

// beginning is what a body begins with, from what is no white space on: enough to tell
// events from a document.
func (s *sniffed) beginning() []byte {
	s.memory = s.buffers.Take()
	for n := 0; ; {
		text := bytes.TrimLeftFunc(bytes.TrimPrefix(s.looked, mark), unicode.IsSpace)
		switch {
		case s.err != nil || len(text) > len("event:") || bytes.ContainsAny(text, "{[:\r\n"):
			return text
		case n >= maxSpace:
			return nil
		}
		var more int
		more, s.err = s.ReadCloser.Read(s.memory[n:])
		n += more
		s.looked = s.memory[:n]
	}
}

// zstdWindow bounds what a compressed request may ask to be remembered of it; zstd's own default for strangers.
const zstdWindow = 8 << 20

// unpack reads a compressed request: gzip, or zstd, which Codex sends where somebody has logged in to ChatGPT. nil: it is not
// compressed in a way that is known here.
func unpack(encoding string, source io.Reader) (io.ReadCloser, error) {
	switch strings.ToLower(encoding) {
	case "gzip":
		return gzip.NewReader(source)
	case "zstd":
		reader, err := zstd.NewReader(source, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return reader.IOReadCloser(), nil
	}
	return nil, nil //nolint:nilnil // the request is read as it is
}

package gateway

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"net/http"
	"unicode"
)

// streamed tells whether an answer is a stream of events. Clients go by what they asked
// for and not by what an answer says of itself, and so its first bytes count where it
// does not say what was asked for.
func streamed(response *http.Response, asked bool) bool {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if asked && kind == "text/event-stream" {
		return true // without waiting for it
	}
	body := &sniffed{bufio.NewReader(response.Body), response.Body}
	response.Body = body
	switch begin := body.begin(); {
	case len(begin) > 0 && (begin[0] == '{' || begin[0] == '['):
		return false
	case begins(begin):
		return true
	}
	return asked
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

// sniffed is a body whose first bytes were looked at.
type sniffed struct {
	*bufio.Reader
	io.Closer
}

// maxSpace is how much white space may stand before what is looked for.
const maxSpace = 1 << 10

// begin is what a body begins with, from what is no white space on: enough to tell
// events from a document.
func (b *sniffed) begin() []byte {
	for n := 1; n < maxSpace; n++ {
		text, err := b.Peek(n)
		text = bytes.TrimLeftFunc(bytes.TrimPrefix(text, []byte("\ufeff")), unicode.IsSpace)
		if err != nil || len(text) > len("event:") || bytes.ContainsAny(text, "{[:\r\n") {
			return text
		}
	}
	return nil
}

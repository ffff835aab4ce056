package gateway

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"net/http"
	"unicode"
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
	source := response.Body
	looked := bufio.NewReader(source)
	begin := beginning(looked)
	read, _ := looked.Peek(looked.Buffered()) // it is there
	response.Body = &sniffed{io.MultiReader(bytes.NewReader(read), source), source}
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

// sniffed is a body whose first bytes were looked at.
type sniffed struct {
	io.Reader
	io.Closer
}

// mark is what a document or a stream may begin with, to say that it is UTF-8.
var mark = []byte("\ufeff")

// maxSpace is how much white space may stand before what is looked for.
const maxSpace = 1 << 10

// beginning is what a body begins with, from what is no white space on: enough to tell
// events from a document.
func beginning(b *bufio.Reader) []byte {
	for n := 1; n < maxSpace; n++ {
		text, err := b.Peek(n)
		text = bytes.TrimLeftFunc(bytes.TrimPrefix(text, mark), unicode.IsSpace)
		if err != nil || len(text) > len("event:") || bytes.ContainsAny(text, "{[:\r\n") {
			return text
		}
	}
	return nil
}

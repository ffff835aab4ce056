package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Answer is what the model says: thinking, then text, then calls.
type Answer struct {
	Thinking string
	Text     string
	Calls    []Call

	Piece int           // how many bytes come at a time; 0: 16
	Pause time.Duration // between two events
	// Cut breaks the connection off after this many events; 0: never. Ends is the same,
	// but as a clean end without the last events.
	Cut, Ends int

	// Over is called when a streamed answer has ended, whole or because the client is gone;
	// nil: nobody is.
	Over func(whole bool)

	Status int // an error, with its body
	Body   string
}

// Call is a call of a tool.
type Call struct {
	Name      string
	Arguments string // JSON; for a custom tool, the bare text
	Custom    bool   // of Responses
}

// ID is that of the call, by the number of the request and its index in it.
func (c Call) ID(request, at int) string { return fmt.Sprintf("call_%d_%d", request, at) }

func (a Answer) pieces(text string) []string {
	size := a.Piece
	if size <= 0 {
		size = 16
	}
	var all []string
	for text != "" {
		n := min(size, len(text))
		for n < len(text) && text[n]&0xC0 == 0x80 { // whole characters, as providers send them
			n++
		}
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

// event is one of a stream.
type event struct {
	name string // "": none
	data any    // a string is written as it is
}

// sender writes a stream.
type sender struct {
	w       http.ResponseWriter
	r       *http.Request
	control *http.ResponseController
	answer  Answer
}

func newSender(w http.ResponseWriter, r *http.Request, _ API, answer Answer) *sender {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return &sender{w: w, r: r, control: http.NewResponseController(w), answer: answer}
}

func (s *sender) send(events []event) {
	whole := false
	defer func() {
		if s.answer.Over != nil {
			s.answer.Over(whole)
		}
	}()
	for i, e := range events {
		switch {
		case s.answer.Cut > 0 && i == s.answer.Cut:
			panic(http.ErrAbortHandler) // the way to break a connection off
		case s.answer.Ends > 0 && i == s.answer.Ends:
			return
		}
		if s.answer.Pause > 0 && i > 0 {
			select {
			case <-time.After(s.answer.Pause):
			case <-s.r.Context().Done():
				return
			}
		}
		if _, err := s.w.Write(e.bytes()); err != nil {
			return
		}
		_ = s.control.Flush()
	}
	whole = true
}

func (e event) bytes() []byte {
	var b bytes.Buffer
	if e.name != "" {
		b.WriteString("event: " + e.name + "\n")
	}
	text, ok := e.data.(string)
	if !ok {
		text = encoded(e.data)
	}
	b.WriteString("data: " + text + "\n\n")
	return b.Bytes()
}

// encoded is JSON without the escapes that only HTML needs.
func encoded(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // maps, slices, texts and numbers
	return strings.TrimSuffix(b.String(), "\n")
}

// raw is arguments as JSON; what is none is a text.
func raw(arguments string) json.RawMessage {
	if !json.Valid([]byte(arguments)) {
		return json.RawMessage(encoded(arguments))
	}
	return json.RawMessage(arguments)
}

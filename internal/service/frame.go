package service

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Protocol is the number of this form of speaking. A frame is the length of what
// follows, as four bytes, the highest first, and a JSON object `{"kind", "body"}`.
const Protocol = 1

// How long frames may be, in bytes: those of a question, and those of an answer, which
// may hold everything that a window shows.
const (
	MaxQuestion = 1 << 20
	MaxAnswer   = 64 << 20
)

// Kinds of frames.
const (
	KindQuestion = "question" // the first of a command
	KindTaken    = "taken"    // the question is being answered
	KindRefused  = "refused"  // the command has to do without; the body says why
	KindAnswer   = "answer"   // what a command prints, and its exit code; the last frame
	KindStatus   = "status"   // how the service is; the last frame
	KindList     = "list"     // what there is to choose from
	KindPlan     = "plan"     // of what was chosen: asked and answered
	KindExplain  = "explain"  // why something is on the list: asked and answered
)

// Frame is one message.
type Frame struct {
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body,omitempty"`
}

// Decode reads the body.
func (f Frame) Decode(into any) error { return json.Unmarshal(f.Body, into) }

// errTooLong is for a frame beyond its bound.
var errTooLong = errors.New("the frame is too long")

// writeFrame writes a message.
func writeFrame(w io.Writer, kind string, body any, limit int) error {
	f := Frame{Kind: kind}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		f.Body = text
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if len(text) > limit {
		return errTooLong
	}
	whole := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(text)), uint32(len(text)))
	_, err = w.Write(append(whole, text...))
	return err
}

// readFrame reads a message. Memory is taken as bytes come, not as they are announced.
func readFrame(r *bufio.Reader, limit int) (Frame, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Frame{}, err
	}
	size := int64(binary.BigEndian.Uint32(head[:]))
	if size > int64(limit) {
		return Frame{}, errTooLong
	}
	text, err := io.ReadAll(io.LimitReader(r, size))
	if err != nil {
		return Frame{}, err
	}
	if int64(len(text)) < size {
		return Frame{}, io.ErrUnexpectedEOF
	}
	var f Frame
	if err := json.Unmarshal(text, &f); err != nil {
		return Frame{}, fmt.Errorf("a frame that is none: %w", err)
	}
	if f.Kind == "" {
		return Frame{}, errors.New("a frame without a kind")
	}
	return f, nil
}

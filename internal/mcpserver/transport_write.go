package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/pertain-dev/pertain/internal/visible"
)

// maxBatch is how many messages may come as one, in the old versions of the
// protocol that have batches; noBatches is the first that has none.
const (
	maxBatch  = 100
	noBatches = "2025-06-18"
)

// batch is requests that are answered together.
type batch struct {
	left    int      // requests without an answer
	answers [][]byte // in the order in which they were ready
}

// takeBatch looks at several messages in one line.
func (c *lineConn) takeBatch(data []byte) error {
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	if version == "" || version >= noBatches {
		return c.refuse(&fault{code: jsonrpc.CodeInvalidRequest, reason: "several messages in one are not part of this version of the protocol; send each as a line"})
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) == 0 || len(parts) > maxBatch {
		return c.refuse(&fault{code: jsonrpc.CodeInvalidRequest, reason: fmt.Sprintf("a batch has 1 to %d messages", maxBatch)})
	}
	b := &batch{}
	for _, part := range parts {
		message, f := readMessage(part)
		if f == nil {
			f = c.accept(message, b, len(part))
		}
		if f != nil {
			if !f.silent {
				b.answers = append(b.answers, f.answer())
			}
			continue
		}
		if m, ok := message.(*jsonrpc.Request); ok && m.ID.IsValid() {
			b.left++
		}
		c.queue = append(c.queue, message)
	}
	if b.left == 0 && len(b.answers) > 0 {
		return c.writeLine(b.line())
	}
	return nil
}

func (b *batch) line() []byte {
	return append(append([]byte{'['}, bytes.Join(b.answers, []byte{','})...), ']')
}

// refuse answers a message in the SDK's place.
func (c *lineConn) refuse(f *fault) error {
	if f.silent {
		return nil
	}
	return c.writeLine(f.answer())
}

// Write sends a message of the SDK.
func (c *lineConn) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if answer, ok := message.(*jsonrpc.Response); ok {
		return c.writeAnswer(answer)
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.ID.IsValid() {
		c.mu.Lock()
		c.asked[request.ID] = true // before it is written: then it may be answered
		c.mu.Unlock()
		c.move()
	}
	return c.writeLine(data)
}

// writeAnswer sends an answer, unless the client has cancelled the request, or
// others of its batch have none yet.
func (c *lineConn) writeAnswer(answer *jsonrpc.Response) error {
	c.mu.Lock()
	known, counted := c.begun[answer.ID]
	delete(c.begun, answer.ID) // before it is written: then the client may use the id again
	if c.hello.IsValid() && answer.ID == c.hello && answer.Error == nil {
		var agreed struct {
			Version string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(answer.Result, &agreed) // the SDK's own
		c.version, c.hello = agreed.Version, jsonrpc.ID{}
	}
	c.mu.Unlock()
	if !counted {
		known = &call{}
	} else if !endless(known.method) {
		defer c.answered(known.size)
	}
	data, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: answer.ID, Result: answer.Result, Error: worded(answer.Error, known.method)})
	switch {
	case err != nil:
		return err
	case known.batch != nil:
		return c.writeBatch(known, data)
	case known.cancelled:
		return nil
	}
	return c.writeLine(data)
}

// answered tells that the answer to a request of some bytes is out.
func (c *lineConn) answered(size int) {
	c.mu.Lock()
	c.unanswered--
	c.held -= size
	c.mu.Unlock()
	c.move()
}

func (c *lineConn) writeBatch(known *call, answer []byte) error {
	c.mu.Lock()
	b := known.batch
	b.left--
	if !known.cancelled {
		b.answers = append(b.answers, answer)
	}
	done := b.left == 0 && len(b.answers) > 0
	c.mu.Unlock()
	if done {
		return c.writeLine(b.line())
	}
	return nil
}

func (c *lineConn) writeLine(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	select {
	case <-c.closed:
		return io.ErrClosedPipe
	default:
	}
	_, err := c.out.Write(append(visible.JSON(data), '\n'))
	return err
}

// worded gives an error of the SDK a code, where it has none, and leaves out what
// was sent, which it quotes with names of Go.
func worded(err error, method string) error {
	if err == nil {
		return nil
	}
	plain, ok := err.(*jsonrpc.Error) //nolint:errorlint // one that is wrapped is of the SDK's making
	if ok && plain.Code != 0 {
		return err
	}
	wrapped := &jsonrpc.Error{}
	if !errors.As(err, &wrapped) || wrapped.Code == 0 {
		// What has no code was refused before anything was looked at: it came before initialize.
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: shorten(err.Error(), 300)}
	}
	if wrapped.Code == jsonrpc.CodeInvalidParams {
		return &jsonrpc.Error{Code: wrapped.Code, Message: formOf(method)}
	}
	return &jsonrpc.Error{Code: wrapped.Code, Message: shorten(err.Error(), 300), Data: wrapped.Data}
}

// cancelledID is the request that a client no longer wants to be answered.
func cancelledID(params json.RawMessage) jsonrpc.ID {
	var fields map[string]json.RawMessage
	if json.Unmarshal(params, &fields) != nil {
		return jsonrpc.ID{}
	}
	id, _, _ := readID(fields["requestId"])
	return id
}

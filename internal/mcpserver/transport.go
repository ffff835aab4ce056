package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lineTransport carries messages as lines of text. The SDK's own ends the
// session at the first line that it cannot read, and drops the requests that are
// under way when the input ends; with this one, a client's mistake costs that
// message alone, and whoever sends a file of requests gets all the answers.
type lineTransport struct {
	in    io.ReadCloser
	out   io.WriteCloser
	limit int // bytes of a line
}

// Connect begins to read.
func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{
		lineTransport: *t, lines: make(chan line), closed: make(chan struct{}), moved: make(chan struct{}, 1),
		begun: map[jsonrpc.ID]*call{}, asked: map[jsonrpc.ID]bool{},
	}
	go c.receive()
	return c, nil
}

// lastAnswers is how long requests may take once the input has ended.
const lastAnswers = 30 * time.Second

type lineConn struct {
	lineTransport
	lines  chan line
	closed chan struct{}
	once   sync.Once

	queue []jsonrpc.Message // the rest of a batch; for Read alone
	ended error             // why no line follows, io.EOF as a rule; for Read alone

	writing sync.Mutex // one line at a time

	mu         sync.Mutex // guards what follows
	begun      map[jsonrpc.ID]*call
	asked      map[jsonrpc.ID]bool // requests of ours that the client has not answered
	unanswered int                 // requests of the client whose answer is not written yet, those without an end left out
	held       int                 // bytes of these
	hello      jsonrpc.ID          // of the request that begins the session
	version    string              // of the protocol, as the answer to it says
	moved      chan struct{}       // holds one token if unanswered or asked changed
}

// call is a request of the client.
type call struct {
	method    string
	size      int // bytes
	cancelled bool
	batch     *batch // nil: it came alone
}

// line is one line of the input.
type line struct {
	data []byte
	long *longMessage // not nil: it was too long to be kept
	err  error        // the input ended
}

func (c *lineConn) SessionID() string { return "" }

// Close ends the connection. What blocks in Read or Write ends too, as far as the
// system lets it.
func (c *lineConn) Close() error {
	var err error
	c.once.Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

// receive reads lines until the input ends.
func (c *lineConn) receive() {
	reader := bufio.NewReaderSize(c.in, 64<<10)
	for {
		l := nextLine(reader, c.limit)
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// nextLine reads a line, of which no more than limit bytes are kept.
func nextLine(reader *bufio.Reader, limit int) (l line) {
	for {
		part, err := reader.ReadSlice('\n')
		end := bytes.TrimRight(part, "\r\n")
		switch {
		case l.long != nil:
			l.long.scan(part)
		case len(l.data)+len(end) > limit:
			l.long = &longMessage{}
			l.long.scan(l.data)
			l.long.scan(part)
			l.data = nil
		default:
			l.data = append(l.data, part...)
		}
		switch {
		case err == nil:
			return l
		case errors.Is(err, bufio.ErrBufferFull):
		case len(l.data) > 0 || l.long != nil:
			return l // the end is met again
		default:
			return line{err: err}
		}
	}
}

// Read returns the next message that the SDK is to deal with.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			return next, nil
		}
		if c.ended != nil {
			return c.finish(ctx)
		}
		lines := c.lines
		if c.full() {
			lines = nil // until an answer is out, or the client has to be heard
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.moved:
		case l := <-lines:
			if l.err != nil {
				c.ended = l.err
				continue
			}
			if err := c.take(l); err != nil {
				return nil, err
			}
		}
	}
}

// A client may send requests faster than they are answered. So many, and so many bytes of them, wait in memory; the rest stays in
// the pipe.
const (
	maxUnanswered = 1000
	maxHeld       = 64 << 20
)

// full tells whether nothing more is to be read for now. What we asked the client is answered by what comes next.
func (c *lineConn) full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return (c.unanswered >= maxUnanswered || c.held >= maxHeld) && len(c.asked) == 0
}

// take looks at a line. The error is for output that cannot be written.
func (c *lineConn) take(l line) error {
	if l.long != nil {
		return c.refuse(l.long.fault(c.limit))
	}
	data := bytes.TrimSpace(l.data)
	if len(data) == 0 {
		return nil
	}
	if f := checkForm(data); f != nil {
		return c.refuse(f)
	}
	if data[0] == '[' {
		return c.takeBatch(data)
	}
	message, f := readMessage(data)
	if f == nil {
		f = c.accept(message, nil, len(data))
	}
	if f != nil {
		return c.refuse(f)
	}
	c.queue = append(c.queue, message)
	return nil
}

// accept remembers what a message of some bytes means for the connection.
func (c *lineConn) accept(message jsonrpc.Message, b *batch, size int) *fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := message.(type) {
	case *jsonrpc.Response:
		delete(c.asked, m.ID)
	case *jsonrpc.Request:
		switch {
		case m.ID.IsValid() && c.begun[m.ID] != nil:
			// Without the id: the client would take it for the answer to the other one.
			return &fault{code: jsonrpc.CodeInvalidRequest, reason: "the id is that of a request that has no answer yet"}
		case m.ID.IsValid():
			c.begun[m.ID] = &call{method: m.Method, size: size, batch: b}
			if m.Method == "initialize" && c.version == "" {
				c.hello = m.ID
			}
			if endless(m.Method) {
				break
			}
			c.unanswered++
			c.held += size
		case m.Method == "notifications/cancelled":
			if cancelled := c.begun[cancelledID(m.Params)]; cancelled != nil && cancelled.method != "initialize" {
				cancelled.cancelled = true
			}
		}
	}
	return nil
}

// endless tells whether a request has no end of its own: the client listens until
// it leaves.
func endless(method string) bool { return method == "subscriptions/listen" }

// finish lets requests under way end after the input has: nobody can answer ours
// any more, and then there is nothing left to wait for.
func (c *lineConn) finish(ctx context.Context) (jsonrpc.Message, error) {
	late := time.NewTimer(lastAnswers)
	defer late.Stop()
	for {
		c.mu.Lock()
		for id := range c.asked {
			delete(c.asked, id)
			c.mu.Unlock()
			return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the client sends nothing any more"}}, nil
		}
		idle := c.unanswered == 0
		c.mu.Unlock()
		if idle {
			return nil, c.ended
		}
		select {
		case <-c.moved:
		case <-late.C:
			return nil, c.ended
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		}
	}
}

// move wakes up finish.
func (c *lineConn) move() {
	select {
	case c.moved <- struct{}{}:
	default: // it has been told
	}
}

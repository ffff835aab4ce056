package service

import (
	"bufio"
	"net"
	"time"
)

// Conn is a connection between a command and the service, whose other end is known to
// be of the same user.
type Conn struct {
	conn  net.Conn
	in    *bufio.Reader
	write int // bound of what is written
	read  int // and read
}

// command is the end of a command: it asks little and is told much.
func command(c net.Conn) *Conn {
	return &Conn{conn: c, in: bufio.NewReader(c), write: MaxQuestion, read: MaxAnswer}
}

func stays(c net.Conn) *Conn {
	return &Conn{conn: c, in: bufio.NewReader(c), write: MaxAnswer, read: MaxQuestion}
}

// Send writes a frame. It gets wait for it; 0: as long as it takes.
func (c *Conn) Send(kind string, body any, wait time.Duration) error {
	if err := c.conn.SetWriteDeadline(deadline(wait)); err != nil {
		return err
	}
	return writeFrame(c.conn, kind, body, c.write)
}

// Receive reads a frame, likewise.
func (c *Conn) Receive(wait time.Duration) (Frame, error) {
	if err := c.conn.SetReadDeadline(deadline(wait)); err != nil {
		return Frame{}, err
	}
	return readFrame(c.in, c.read)
}

// Close ends it. Who reads at the same time is told.
func (c *Conn) Close() { _ = c.conn.Close() }

func deadline(wait time.Duration) time.Time {
	if wait == 0 {
		return time.Time{}
	}
	return time.Now().Add(wait)
}

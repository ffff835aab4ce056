package service

import (
	"context"
	"time"
)

// Caller is a command that asks.
type Caller struct {
	PID       int
	SameFiles bool // it sees the same files as this process

	conn   *Conn
	frames chan Frame
}

// sendTime is how long a command may take to read an answer. One that does not is gone.
const sendTime = 10 * time.Second

// Next is the next frame of the command; ok is false when there will be none.
func (c *Caller) Next(ctx context.Context) (f Frame, ok bool) {
	select {
	case f, ok = <-c.frames:
		return f, ok
	case <-ctx.Done():
		return Frame{}, false
	}
}

// Send writes a frame.
func (c *Caller) Send(kind string, body any) error { return c.conn.Send(kind, body, sendTime) }

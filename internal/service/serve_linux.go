package service

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// maxCallers is how many commands are answered at once. A user starts a few; the next
// one is turned away, and looks itself.
const maxCallers = 16

// acceptPause is how long is waited where no connection can be accepted, as without
// free file descriptors.
const acceptPause = 100 * time.Millisecond

// Serve answers until ctx ends. answer is called for each command, in a goroutine of
// its own; its context ends when the command is gone.
func (l *Listener) Serve(ctx context.Context, answer func(context.Context, *Caller)) error {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = l.net.Close() })
	defer stop()
	slots := make(chan struct{}, maxCallers)
	for {
		conn, err := l.net.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil:
			select {
			case <-ctx.Done():
			case <-time.After(acceptPause):
			}
			continue
		}
		select {
		case slots <- struct{}{}:
		default:
			_ = conn.Close()
			continue
		}
		all.Go(func() {
			defer func() { <-slots }()
			defer func() { _ = conn.Close() }()
			if pid, err := peer(conn); err == nil {
				attend(ctx, conn, pid, answer)
			}
		})
	}
}

// attend hears a command and answers it.
func attend(ctx context.Context, conn net.Conn, pid int, answer func(context.Context, *Caller)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &Caller{PID: pid, SameFiles: sameFiles(pid), conn: stays(conn), frames: make(chan Frame)}
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		defer cancel()
		defer close(c.frames)
		wait := questionTime // of the first; who chooses from a list takes as long as they like
		for {
			f, err := c.conn.Receive(wait)
			if err != nil {
				return
			}
			wait = 0
			select {
			case c.frames <- f:
			case <-ctx.Done():
				return
			}
		}
	}()
	answer(ctx, c)
	c.conn.Close() // ends the reading
	cancel()
	<-heard
}

// questionTime is how long a command may take to say what it wants.
const questionTime = time.Second

// Close removes the socket.
func (l *Listener) Close() {
	_ = l.net.Close()
	l.release()
}

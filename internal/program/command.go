package program

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"time"
)

// Call is how a program is started.
type Call struct {
	Dir    string        // its working directory, absolute
	Env    []string      // its whole environment, as NAME=value; nothing else is passed on
	Stdin  io.Reader     // nil: nothing
	Stdout io.Writer     // nil: it goes nowhere
	Stderr io.Writer     // nil: it goes nowhere
	Wait   time.Duration // how long to wait, after the program has ended or was stopped, for others that hold its output open
}

// Run starts the program and waits for its end, or ends it when ctx does.
func (p Program) Run(ctx context.Context, call Call, args ...string) error {
	if p.path == "" {
		return ErrNotFound
	}
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir, cmd.WaitDelay = call.Dir, call.Wait
	cmd.Stdin, cmd.Stdout, cmd.Stderr = call.Stdin, call.Stdout, call.Stderr
	cmd.Env = append([]string{}, call.Env...) // nil would be our own
	return cmd.Run()
}

// Output runs the program and returns what it wrote, which may not be more than
// limit bytes.
func (p Program) Output(ctx context.Context, call Call, limit int, args ...string) ([]byte, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := &bounded{left: limit, full: stop}
	call.Stdout = out
	err := p.Run(ctx, call, args...)
	if out.over {
		return nil, errTooMuch
	}
	return out.text.Bytes(), err
}

type outputError string

func (e outputError) Error() string { return string(e) }

const errTooMuch = outputError("the program wrote more than it may")

// bounded keeps what a program writes, up to a limit.
type bounded struct {
	text bytes.Buffer
	left int
	over bool
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.over = true
		b.full()
		return 0, errTooMuch
	}
	b.left -= len(p)
	return b.text.Write(p)
}

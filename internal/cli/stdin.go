package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// maxPipedBytes bounds a text that is read from standard input; a prompt has less.
const maxPipedBytes = 64 << 20

// patience is how long a pipe may be silent.
type patience struct {
	announce time.Duration // until it is said that something is waited for
	giveUp   time.Duration // until it counts as empty
}

// usualPatience is for standard input that nobody spoke of.
var usualPatience = patience{announce: time.Second, giveUp: 10 * time.Second}

// noStdinFlag is for the commands that take standard input as the selection by
// themselves.
func noStdinFlag(cmd *cobra.Command, s *situation) {
	cmd.Flags().BoolVar(&s.noStdin, "no-stdin", false, "do not take what is piped in as the selected text")
}

// stdinReader is the flag that reads standard input; empty: none does. Two of them
// are a mistake.
func (s *situation) stdinReader() (string, error) {
	reader := ""
	for _, flag := range []struct {
		name  string
		reads bool
	}{{"--context -", s.file == "-"}, {"--text -", s.text == "-"}, {"--selection -", s.selection == "-"}} {
		switch {
		case !flag.reads:
		case reader != "":
			return "", usage("%s and %s both read standard input; write one of the texts out, or name a file", reader, flag.name)
		default:
			reader = flag.name
		}
	}
	return reader, nil
}

// takeStdin reads the flags that say so, and where none does and implied is set,
// takes what is piped in as the selection.
func (a *app) takeStdin(cmd *cobra.Command, s *situation, implied bool) error {
	reader, err := s.stdinReader()
	if err != nil || reader == "--context -" {
		return err
	}
	if reader != "" {
		text, _, err := a.piped(cmd.Context(), patience{announce: usualPatience.announce})
		if err != nil {
			return err
		}
		s.stdin = true
		if s.text == "-" {
			s.text = text
		} else {
			s.selection = text
		}
		return nil
	}
	if !implied || s.noStdin || cmd.Flags().Changed("selection") || !a.isPiped() {
		return nil
	}
	text, some, err := a.piped(cmd.Context(), usualPatience)
	if err == nil && some {
		s.stdin, s.selected, s.selection = true, true, text
	}
	return err
}

// isPiped tells whether standard input is a pipe, or a file with something in it.
func (a *app) isPiped() bool {
	f, ok := a.call.Stdin.(*os.File)
	if !ok {
		return a.call.Stdin != nil
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() {
		at, err := f.Seek(0, io.SeekCurrent)
		return err == nil && at < info.Size()
	}
	return info.Mode()&fs.ModeNamedPipe != 0
}

// piped reads standard input to its end; some is false if there is nothing in it.
func (a *app) piped(ctx context.Context, p patience) (text string, some bool, err error) {
	type answer struct {
		data []byte
		err  error
	}
	began, done := make(chan struct{}), make(chan answer, 1)
	in := a.call.Stdin
	go func() { // it may wait for ever
		lines := bufio.NewReader(in)
		_, err := lines.Peek(1)
		close(began)
		var data []byte
		if err == nil {
			data, err = io.ReadAll(io.LimitReader(lines, maxPipedBytes+1))
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
		done <- answer{data, err}
	}()
	announce := time.NewTimer(p.announce)
	defer announce.Stop()
	var giveUp <-chan time.Time
	if p.giveUp > 0 {
		timer := time.NewTimer(p.giveUp)
		defer timer.Stop()
		giveUp = timer.C
	}
	for {
		select {
		case got := <-done:
			switch {
			case got.err != nil:
				return "", false, usage("standard input: %s", fileProblem(got.err))
			case len(got.data) > maxPipedBytes:
				return "", false, usage("standard input has more than %d MiB", maxPipedBytes>>20)
			}
			return strings.ToValidUTF8(string(got.data), "\uFFFD"), len(got.data) > 0, nil
		case <-began:
			began, giveUp = nil, nil // what has begun is read to its end
			announce.Stop()
		case <-announce.C:
			if _, err := fmt.Fprintln(a.call.Stderr, "pertain: waiting for the text on standard input; --no-stdin leaves it out"); err != nil {
				return "", false, err
			}
		case <-giveUp:
			return "", false, nil
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
}

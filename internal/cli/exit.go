package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
)

// Exit codes (docs/reference/exit-codes.md).
const (
	exitDone     = 0
	exitNegative = 1 // the answer is no
	exitUsage    = 2 // the call itself was wrong

	exitInterrupted = 130 // as shells do for Ctrl-C
	exitPipe        = 141 // as shells do for a pipe that nobody reads
)

// exit is an error that knows its exit code. With an empty message everything
// has been said already.
type exit struct {
	code    int
	message string
}

func (e *exit) Error() string { return e.message }

// negative ends a command whose answer is no.
func negative(format string, args ...any) error {
	return &exit{exitNegative, worded(format, args)}
}

// usage ends a command that was called wrongly.
func usage(format string, args ...any) error {
	return &exit{exitUsage, worded(format, args)}
}

// worded makes a message in which what the caller wrote is repeated in short.
// Errors know themselves what to repeat, and may list what there is.
func worded(format string, args []any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok && format != "%s" {
			args[i] = diag.Short(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

func (a *app) exitCode(err error) int {
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	if failed := a.out.failed(); failed != nil {
		// Whatever else the command found, who reads it has not got the answer.
		if errors.Is(failed, syscall.EPIPE) || errors.Is(failed, io.ErrClosedPipe) {
			return exitPipe
		}
		fmt.Fprintln(a.call.Stderr, "pertain: standard output cannot be written: "+oneLine(fileerror.Reason(failed)))
		return exitUsage
	}
	if err == nil {
		return exitDone
	}
	var e *exit
	if !errors.As(err, &e) {
		e = &exit{exitUsage, err.Error()}
	}
	if e.message != "" {
		fmt.Fprintln(a.call.Stderr, "pertain: "+oneLine(e.message))
	}
	return e.code
}

// oneLine keeps errors of libraries in one line, and the words in them short.
func oneLine(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' })
	words = strings.Split(strings.Join(words, " "), " ")
	for i := range words {
		words[i] = diag.Short(words[i])
	}
	return clean(strings.Join(words, " "))
}

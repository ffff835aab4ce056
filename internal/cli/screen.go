package cli

import (
	"io"
	"os"
	"sync"

	"github.com/pertain-dev/pertain/internal/visible"
)

// screen is an output that is a terminal. What is written to it is shown and never
// obeyed: rules, prompts, models and the names of files are texts of others, and
// an escape sequence in them could hide text, retitle the window or write to the
// clipboard. What this program paints itself goes to [app.painted].
type screen struct {
	file    *os.File       // nil: the service prints it
	relayed *relayedOutput // nil: it is a file here

	mu   sync.Mutex
	text *visible.Writer
}

// screened puts a screen in front of an output that is a terminal; a pipe gets
// the bytes as they are.
func screened(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		return &screen{file: f, text: visible.NewWriter(f)}
	}
	if f, ok := w.(*relayedOutput); ok && f.is.Terminal {
		return &screen{relayed: f, text: visible.NewWriter(f)}
	}
	return w
}

// plain is what stands behind the screen.
func (s *screen) plain() io.Writer {
	if s.relayed != nil {
		return s.relayed
	}
	return s.file
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// flush writes what waits for more text.
func (s *screen) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Flush()
}

// painted is an output for lines of our own, in which everything of others has
// been made safe and colours are ours; other sequences are shown here, too.
func (a *app) painted(w io.Writer) io.Writer {
	if plain, ok := w.(asciiWriter); ok {
		w = plain.to
	}
	if s, ok := w.(*screen); ok {
		_ = s.flush() // what comes after fails as well, and tells
		w = &styled{to: s.plain()}
	}
	return a.legible(w)
}

// rewriteLine goes back to the start of a line and empties it.
const rewriteLine = "\r\x1b[K"

// rewritten is a terminal for one line of numbers that is written again and again, with [rewriteLine]: nothing of others is in it.
func (a *app) rewritten(w io.Writer) io.Writer {
	if plain, ok := w.(asciiWriter); ok {
		w = plain.to
	}
	if s, ok := w.(*screen); ok {
		return s.plain()
	}
	return w
}

// flush shows what the outputs have held back.
func (a *app) flush() error {
	for _, w := range []io.Writer{a.call.Stdout, a.call.Stderr} {
		if plain, ok := w.(asciiWriter); ok {
			w = plain.to
		}
		if s, ok := w.(*screen); ok {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileOf is the file that an output writes to; nil: it is none.
func fileOf(w io.Writer) *os.File {
	switch w := w.(type) {
	case *screen:
		return w.file
	case asciiWriter:
		return fileOf(w.to)
	case *os.File:
		return w
	}
	return nil
}

// onTerminal tells whether somebody sees an output as it is written.
func onTerminal(w io.Writer) bool {
	if relayed := relayedBy(w); relayed != nil {
		return relayed.is.Terminal
	}
	f := fileOf(w)
	return f != nil && isTerminal(f)
}

package menu

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Window shows a text that comes in pieces. Dialogs show it while it comes; other menus
// have lists alone, and show its lines when it is whole. The text is handed over by
// standard input: arguments of a program can be seen by everybody on the machine.
type Window struct {
	menu   Menu
	title  string
	text   strings.Builder // where it is shown when it is whole
	pipe   *io.PipeWriter  // nil: it is
	end    context.CancelFunc
	closed chan struct{} // when the program has ended
}

// Window opens a window. The context that is returned ends with ctx, or when the user
// closes the window.
func (m Menu) Window(ctx context.Context, title string) (*Window, context.Context) {
	ctx, end := context.WithCancel(ctx)
	w := &Window{menu: m, title: title, end: end, closed: make(chan struct{})}
	if m.row.window == nil {
		return w, ctx
	}
	in, out := io.Pipe()
	w.pipe = out
	go func() {
		defer close(w.closed)
		defer end()
		// What the user did with the window is no answer; one that could not be shown is closed.
		_ = m.program.Run(ctx, program.Call{Dir: m.desk.Dir, Env: m.desk.environment(), Stdin: in, Wait: 100 * time.Millisecond}, m.row.window(title)...)
		_ = in.CloseWithError(ErrLeft)
	}()
	return w, ctx
}

// Streams tells whether the text is shown while it comes.
func (w *Window) Streams() bool { return w.pipe != nil }

// Write adds to the text.
func (w *Window) Write(text string) error {
	text = visible.Show(text)
	if w.pipe == nil {
		w.text.WriteString(text)
		return nil
	}
	_, err := io.WriteString(w.pipe, text)
	return err
}

// How the lines of a text are shown in a list.
const (
	lineWidth = 100  // columns
	maxLines  = 2000 // more is no text for a menu
)

// Wait ends the text and waits until the user has closed the window.
func (w *Window) Wait(ctx context.Context) error {
	if w.pipe != nil {
		_ = w.pipe.Close()
		select {
		case <-w.closed:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	lines := strings.Split(strings.TrimRight(ansi.Wrap(w.text.String(), lineWidth, ""), "\n"), "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines:maxLines], "…")
	}
	for i, line := range lines {
		if lines[i] = strings.ReplaceAll(line, "\t", "    "); lines[i] == "" {
			lines[i] = " "
		}
	}
	args, input := w.menu.row.list(w.title, lines, make([]Entry, len(lines)))
	if _, err := w.menu.run(ctx, args, input); err != nil && !errors.Is(err, ErrLeft) {
		return err
	}
	return nil
}

// Close closes the window, whatever it shows.
func (w *Window) Close() {
	w.end()
	if w.pipe != nil {
		_ = w.pipe.Close()
		<-w.closed
	}
}

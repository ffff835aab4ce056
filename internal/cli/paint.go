package cli

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/internal/visible"
)

// painter colours text on terminals and leaves it alone elsewhere.
type painter struct{ on bool }

func (a *app) painter(w io.Writer) painter { return painter{on: a.color(w)} }

func (p painter) style(code, text string) string {
	if !p.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p painter) bold(text string) string { return p.style("1", text) }
func (p painter) dim(text string) string  { return p.style("2", text) }

// mark is a sign for a result that is told apart without colour too.
func (p painter) mark(t cond.Tri) string {
	switch t {
	case cond.True:
		return p.style("32", "✓")
	case cond.False:
		return p.style("31", "✗")
	}
	return p.style("33", "?")
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func shorten(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return s
}

// clean keeps what a file says from moving the cursor of a terminal, and shows
// where something is that cannot be seen.
func clean(s string) string { return visible.Line(s) }

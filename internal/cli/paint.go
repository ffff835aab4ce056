package cli

import (
	"io"

	"github.com/pertain-dev/pertain/cond"
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

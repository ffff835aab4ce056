package httpapi

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

type problemsQuery struct{}

type problemsAnswer struct {
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Problems []problem `json:"problems"`
}

// problem is a diagnostic with the line it is about and a caret under the position.
type problem struct {
	Diagnostic diag.Diagnostic `json:"diagnostic"`
	Excerpt    string          `json:"excerpt" jsonschema:"as pertain lint prints it"`
}

func (s *Server) problems(context.Context, problemsQuery) (problemsAnswer, error) {
	list := append(diag.List(nil), s.workspace.Engine().Catalog().Diagnostics()...)
	list.Sort()
	return problemsAnswer{
		Errors: list.Count(diag.Error), Warnings: list.Count(diag.Warning), Problems: s.excerpts(list),
	}, nil
}

func (s *Server) excerpts(list diag.List) []problem {
	out := make([]problem, len(list))
	for i, d := range list {
		var b strings.Builder
		_ = diag.Text(&b, diag.List{d}, diag.TextOptions{Name: s.shortName}) // a builder takes everything
		out[i] = problem{d, strings.TrimRight(b.String(), "\n")}
	}
	return out
}

// shortName shows a file relative to the workspace where it is in it.
func (s *Server) shortName(file string) string {
	if rel, err := filepath.Rel(s.workspace.Root(), file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

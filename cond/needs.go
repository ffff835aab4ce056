package cond

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// Needs is what must be collected before the condition can be decided (MS §6),
// found by walking the tree.
func (e *Expr) Needs() facts.Needs {
	var needs facts.Needs
	e.needs(&needs)
	return needs
}

func (e *Expr) needs(needs *facts.Needs) {
	switch e.kind {
	case exprVisual:
		needs.Add(facts.Visual)
	case exprField:
		if !e.relative {
			needs.AddPath(e.path)
		}
	}
	for _, child := range e.children {
		child.needs(needs)
	}
}

// Reads tells whether the condition asks for one of some needs or paths, or for
// what is below them.
func (e *Expr) Reads(names ...string) bool {
	if e.kind == exprVisual && slices.Contains(names, facts.Visual) {
		return true
	}
	if e.kind == exprField && !e.relative {
		for _, name := range names {
			if rest, ok := strings.CutPrefix(e.path, name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return true
			}
		}
	}
	return slices.ContainsFunc(e.children, func(child *Expr) bool { return child.Reads(names...) })
}

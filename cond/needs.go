package cond

import "github.com/pertain-dev/pertain/facts"

// Needs is what must be collected before the condition can be decided (MS §6),
// found by walking the tree.
func (e *Expr) Needs() facts.Needs {
	var needs facts.Needs
	e.needs(&needs)
	return needs
}

func (e *Expr) needs(needs *facts.Needs) {
	switch e.Kind {
	case Visual:
		needs.Add(facts.Visual)
	case Field:
		if !e.Relative {
			needs.AddPath(e.Path)
		}
	}
	for _, child := range e.Children {
		child.needs(needs)
	}
}

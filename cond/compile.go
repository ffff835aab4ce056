package cond

import (
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/visual"
)

// Program is a compiled condition: expressions, globs and queries are ready to
// run. It is immutable and safe for concurrent use.
type Program struct {
	root node
	pace pace
}

// node is a compiled condition.
type node struct {
	expr       *Expr
	children   []node
	predicates []predicate // Field and Visual: all must hold
	query      *visual.Query
}

// predicate is a compiled operator. Of ten thousand conditions it is most of
// what they keep in memory, so it holds nothing that its operator has as well.
type predicate struct {
	operator  *operator
	op        operatorKind
	sensitive bool // case counts
	made      any  // *operands, *regex.Regexp, *glob.Glob, *node of an item or of what is negated; nil: the operand serves as it was written
}

// Compile makes a tree without errors runnable. Regular expressions, globs and
// queries that cannot be read are reported at their positions inside the scalar.
func Compile(expr *Expr) (*Program, diag.List) {
	c := &compiler{}
	program := &Program{}
	c.node(&program.root, expr)
	program.pace = paceOf(&program.root)
	return program, c.list
}

type compiler struct{ list diag.List }

func (c *compiler) node(n *node, e *Expr) {
	n.expr = e
	if len(e.children) > 0 {
		n.children = make([]node, len(e.children))
	}
	for i, child := range e.children {
		c.node(&n.children[i], child)
	}
	if len(e.operators) > 0 {
		n.predicates = make([]predicate, len(e.operators))
	}
	for i := range e.operators {
		n.predicates[i] = c.predicate(&e.operators[i], e.caseSensitive)
	}
	// What is cheap goes first, so that what it settles takes no time.
	slices.SortStableFunc(n.predicates, func(p, q predicate) int { return int(flag(p.slow())) - int(flag(q.slow())) })
	if e.kind == exprVisual && e.query.node != nil {
		n.query = c.query(e)
	}
}

func (c *compiler) predicate(op *operator, sensitive bool) predicate {
	p := predicate{operator: op, op: op.op, sensitive: sensitive}
	switch op.op {
	case equalsOp, inOp, containsOp, containsAnyOp, containsAllOp:
		p.fold(op.values)
	case startsWithOp, endsWithOp:
		if text := glob.Fold(op.text); !sensitive && text != op.text {
			p.made = &operands{text: text}
		}
	case regexOp:
		if re := c.regex(op, sensitive); re != nil {
			p.made = re
		}
	case globOp:
		if g := c.glob(op, sensitive); g != nil {
			p.made = g
		}
	case anyItemOp, allItemsOp, noItemOp, notOp:
		item := &node{}
		c.node(item, op.item)
		p.made = item
	}
	return p
}

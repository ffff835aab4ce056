package cond

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/visual"
)

// Program is a compiled condition: expressions, globs and queries are ready to
// run. It is immutable and safe for concurrent use.
type Program struct {
	root  *node
	needs facts.Needs
}

// Needs is what must be collected before the program can be decided.
func (p *Program) Needs() facts.Needs { return p.needs }

// node is a compiled condition.
type node struct {
	expr       *Expr
	children   []*node
	predicates []*predicate // Field and Visual: all must hold
	query      *visual.Query
}

// predicate is a compiled operator.
type predicate struct {
	operator  *Operator
	op        Op
	sensitive bool          // case counts
	values    []facts.Value // strings folded unless sensitive
	texts     map[string]bool
	re        *regex.Regexp
	glob      *glob.Glob
	bounds    Range
	item      *node
}

// Compile makes a tree without errors runnable. Regular expressions, globs and
// queries that cannot be read are reported at their places inside the scalar.
func Compile(expr *Expr) (*Program, diag.List) {
	c := &compiler{}
	root := c.node(expr)
	return &Program{root: root, needs: expr.Needs()}, c.list
}

type compiler struct{ list diag.List }

func (c *compiler) node(e *Expr) *node {
	n := &node{expr: e}
	for _, child := range e.Children {
		n.children = append(n.children, c.node(child))
	}
	for i := range e.Operators {
		n.predicates = append(n.predicates, c.predicate(&e.Operators[i], e.CaseSensitive))
	}
	if e.Kind == Visual && e.Query.Node != nil {
		n.query = c.query(e)
	}
	return n
}

func (c *compiler) predicate(op *Operator, sensitive bool) *predicate {
	p := &predicate{operator: op, op: op.Op, sensitive: sensitive, bounds: op.Range}
	switch op.Op {
	case Equals, In, Contains:
		p.values = make([]facts.Value, len(op.Values))
		for i, v := range op.Values {
			p.values[i] = p.folded(v)
		}
		if len(p.values) > manyValues {
			p.texts = make(map[string]bool, len(p.values))
			for _, v := range p.values {
				if v.Kind() == facts.String {
					p.texts[v.Text()] = true
				}
			}
		}
	case StartsWith, EndsWith:
		p.values = []facts.Value{p.folded(facts.Text(op.Text))}
	case Regex:
		p.re = c.regex(op, sensitive)
	case Glob:
		p.glob = c.glob(op, sensitive)
	case AnyItem, AllItems, NoItem:
		p.item = c.node(op.Item)
	}
	return p
}

// manyValues is from where on a hash is faster than looking at each value.
const manyValues = 8

// folded is an operand in the form that texts are compared in.
func (p *predicate) folded(v facts.Value) facts.Value {
	if p.sensitive || v.Kind() != facts.String {
		return v
	}
	return facts.Text(glob.Fold(v.Text()))
}

func (c *compiler) report(scalar *document.Node, code diag.Code, offset, length int, hint, format string, args ...any) {
	d := diag.At(scalar.Source(), scalar.SpanOf(offset, offset+max(length, 1)), code, format, args...)
	d.Hint = hint
	c.list.Add(d)
}

func (c *compiler) regex(op *Operator, sensitive bool) *regex.Regexp {
	re, bad := regex.Compile(op.Text, regex.Options{Dialect: regex.DotNet, IgnoreCase: !sensitive})
	if bad != nil {
		c.report(op.Operand, diag.RegexInvalid, bad.Offset, 1, bad.Hint, "the regular expression is not valid: %s", bad.Message)
		return nil
	}
	return re
}

func (c *compiler) glob(op *Operator, sensitive bool) *glob.Glob {
	g, bad := glob.Compile(op.Text, !sensitive)
	if bad != nil {
		c.report(op.Operand, diag.StrategyInvalidWhen, bad.Offset, 1, bad.Hint, "the glob is not valid: %s", bad.Message)
		return nil
	}
	return g
}

func (c *compiler) query(e *Expr) *visual.Query {
	q, bad := visual.Parse(e.Query.Text, visual.Options{CaseSensitive: e.CaseSensitive})
	if bad != nil {
		c.report(e.Query.Node, diag.VisualQueryInvalid, bad.Offset, bad.Length, bad.Hint, "the visual query is not valid: %s", bad.Message)
		return nil
	}
	_, attribute := q.SelectsAttribute()
	switch {
	case e.Query.Kind == Match && !attribute:
		c.report(e.Query.Node, diag.VisualQueryInvalid, 0, len(e.Query.Text), "end the query with an attribute, such as `/@name`, or use `visual.exists`",
			"`visual.match` takes a query that selects an attribute")
		return nil
	case e.Query.Kind != Match && attribute:
		c.report(e.Query.Node, diag.VisualQueryInvalid, 0, len(e.Query.Text), "leave out the attribute at the end, or use `visual.match`",
			"`%s` takes a query that selects elements", e.Query.Kind)
		return nil
	}
	return q
}

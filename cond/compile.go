package cond

import (
	"slices"

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

// operands are compared with values; strings are folded.
type operands struct {
	values []facts.Value
	text   string          // StartsWith, EndsWith
	texts  map[string]bool // the strings among many values; nil: look at each
}

// values are the operands in the form that values are compared in.
func (p *predicate) values() []facts.Value {
	if made, ok := p.made.(*operands); ok {
		return made.values
	}
	return p.operator.values
}

// text is the operand of StartsWith and EndsWith in that form.
func (p *predicate) text() string {
	if made, ok := p.made.(*operands); ok {
		return made.text
	}
	return p.operator.text
}

// texts are the strings among many operands; nil when they are few.
func (p *predicate) texts() map[string]bool {
	if made, ok := p.made.(*operands); ok {
		return made.texts
	}
	return nil
}

func (p *predicate) re() *regex.Regexp {
	re, _ := p.made.(*regex.Regexp)
	return re
}

func (p *predicate) glob() *glob.Glob {
	g, _ := p.made.(*glob.Glob)
	return g
}

// item is what must hold for an item; nil for operators that are not for items.
func (p *predicate) item() *node {
	if p.op == notOp {
		return nil
	}
	n, _ := p.made.(*node)
	return n
}

// negated is what must not hold for the value; nil for all operators but `not`.
func (p *predicate) negated() *node {
	if p.op != notOp {
		return nil
	}
	n, _ := p.made.(*node)
	return n
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

// fold prepares the operands of a comparison, unless they can be compared as
// they were written.
func (p *predicate) fold(values []facts.Value) {
	many := len(values) > manyValues
	if !many && !slices.ContainsFunc(values, func(v facts.Value) bool { return p.folded(v).Text() != v.Text() }) {
		return
	}
	made := &operands{values: make([]facts.Value, len(values))}
	for i, v := range values {
		made.values[i] = p.folded(v)
	}
	if many {
		made.texts = make(map[string]bool, len(values))
		for _, v := range made.values {
			if v.Kind() == facts.String {
				made.texts[v.Text()] = true
			}
		}
	}
	p.made = made
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

func (c *compiler) regex(op *operator, sensitive bool) *regex.Regexp {
	re, bad := regex.Compile(op.text, regex.Options{Dialect: regex.DotNet, IgnoreCase: !sensitive})
	if bad != nil {
		c.report(op.operand, diag.RegexInvalid, bad.Offset, 1, bad.Hint, "the regular expression is not valid: %s", bad.Message)
		return nil
	}
	return re
}

func (c *compiler) glob(op *operator, sensitive bool) *glob.Glob {
	g, bad := glob.Compile(op.text, !sensitive)
	if bad != nil {
		c.report(op.operand, diag.StrategyInvalidWhen, bad.Offset, 1, bad.Hint, "the glob is not valid: %s", bad.Message)
		return nil
	}
	return g
}

func (c *compiler) query(e *Expr) *visual.Query {
	q, bad := visual.Parse(e.query.text, visual.Options{CaseSensitive: e.caseSensitive})
	if bad != nil {
		c.report(e.query.node, diag.VisualQueryInvalid, bad.Offset, bad.Length, bad.Hint, "the visual query is not valid: %s", bad.Message)
		return nil
	}
	_, attribute := q.SelectsAttribute()
	switch {
	case e.query.kind == visualMatch && !attribute:
		c.report(e.query.node, diag.VisualQueryInvalid, 0, len(e.query.text), "end the query with an attribute, such as `/@name`, or use `visual.exists`",
			"`visual.match` takes a query that selects an attribute")
		return nil
	case e.query.kind != visualMatch && attribute:
		c.report(e.query.node, diag.VisualQueryInvalid, 0, len(e.query.text), "leave out the attribute at the end, or use `visual.match`",
			"`%s` takes a query that selects elements", e.query.kind)
		return nil
	}
	return q
}

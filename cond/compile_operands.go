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

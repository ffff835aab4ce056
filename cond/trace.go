package cond

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Trace is one node of the condition tree with its result (`explain`).
type Trace struct {
	Kind     string // all, any, none, not, path, operator, item, visual, const
	Label    string
	Result   Tri
	Reason   string // why, in a few words; never text from the context
	Duration time.Duration
	Source   *diag.Source // where the node stands; nil for items
	Span     diag.Span
	Value    facts.Value // what was compared; only if values were asked for
	Children []*Trace

	values bool
}

// maxTracedItems bounds how many items of an array or values of a query are
// recorded; all of them are still evaluated.
const maxTracedItems = 1000

// Deciding yields the conditions on paths and on visible elements that settled the result, in the order of the file, each with
// whether it counts negated.
func (t *Trace) Deciding() iter.Seq2[*Trace, bool] {
	return func(yield func(*Trace, bool) bool) { t.decide(false, yield) }
}

func (t *Trace) decide(negated bool, yield func(*Trace, bool) bool) bool {
	if t == nil {
		return true
	}
	if t.Kind == "path" || t.Kind == "visual" {
		return yield(t, negated)
	}
	want := t.Result
	if t.Kind == "none" || t.Kind == "not" {
		want, negated = want.Not(), !negated
	}
	for _, child := range t.Children {
		if child.Result == want && !child.decide(negated, yield) {
			return false
		}
	}
	return true
}

// A nil Trace records nothing: evaluation calls the methods either way.

// child makes the trace of a child condition.
func (t *Trace) child() *Trace {
	if t == nil {
		return nil
	}
	c := &Trace{values: t.values}
	t.Children = append(t.Children, c)
	return c
}

// childOf makes the trace of a field of an item.
func (t *Trace) childOf(n *node) *Trace {
	c := t.child()
	c.describe(n)
	return c
}

// item makes the trace of one item.
func (t *Trace) item(n *node, index int) *Trace {
	if t == nil {
		return nil
	}
	c := &Trace{values: t.values, Kind: "item", Label: fmt.Sprintf("item %d", index+1)}
	if n.expr.kind == exprField && n.expr.path != "" {
		c.Label += " ." + n.expr.path
	}
	if len(t.Children) < maxTracedItems {
		t.Children = append(t.Children, c)
	}
	return c
}

// operator makes the trace of an operator.
func (t *Trace) operator(p *predicate) *Trace {
	c := t.child()
	if c != nil {
		c.Kind, c.Label = "operator", p.label()
		c.Source, c.Span = p.operator.key.Source(), p.operator.key.Span()
	}
	return c
}

// begin notes when a node starts, and what it is.
func (t *Trace) begin(n *node) time.Time {
	if t == nil {
		return time.Time{}
	}
	if n != nil {
		t.describe(n)
	}
	return time.Now()
}

func (t *Trace) end(result Tri, start time.Time) {
	if t != nil {
		t.Result, t.Duration = result, time.Since(start)
	}
}

// unasked adds the operators of a node that has no value to put to them.
func (t *Trace) unasked(n *node) {
	if t == nil || len(t.Children) > 0 {
		return
	}
	for i := range n.predicates {
		p := &n.predicates[i]
		child := t.operator(p)
		child.because("there is no value")
		if inner := p.negated(); inner != nil {
			child.unasked(inner)
		}
	}
	t.asWritten()
}

func (t *Trace) because(reason string) {
	if t != nil {
		t.Reason = reason
	}
}

// asWritten puts operators, which were evaluated cheap ones first, into the
// order of the file.
func (t *Trace) asWritten() {
	if t != nil {
		slices.SortStableFunc(t.Children, func(a, b *Trace) int { return a.Span.Start - b.Span.Start })
	}
}

func (t *Trace) value(v facts.Value) {
	if t != nil && t.values {
		t.Value = v
	}
}

func (t *Trace) describe(n *node) {
	if t == nil {
		return
	}
	e := n.expr
	if e.node != nil {
		t.Source, t.Span = e.node.Source(), e.node.Span()
	}
	switch e.kind {
	case exprConst:
		t.Kind, t.Label = "const", fmt.Sprint(e.value)
	case exprAll:
		t.Kind, t.Label = "all", "all"
	case exprAny:
		t.Kind, t.Label = "any", "any"
	case exprNone:
		t.Kind, t.Label = "none", "none"
	case exprNot:
		t.Kind, t.Label = "not", "not"
	case exprField:
		t.Kind, t.Label = "path", e.path
	case exprVisual:
		t.Kind, t.Label = "visual", e.query.kind.String()+" "+e.query.text
	}
}

// label is the operator as its author wrote it, shortened.
func (p *predicate) label() string {
	var operand string
	switch p.op {
	case inOp, containsAnyOp, containsAllOp:
		var parts []string
		for _, item := range p.operator.operand.Items[:min(len(p.operator.operand.Items), maxLabel)] { // no more than is shown
			parts = append(parts, scalarText(item))
		}
		operand = "[" + strings.Join(parts, ", ") + "]"
	case equalsOp, containsOp, startsWithOp, endsWithOp, regexOp, globOp:
		operand = scalarText(p.operator.operand)
	case minOp, maxOp:
		operand = p.operator.operand.Text
	case lengthOp, countOp:
		operand = p.operator.bounds.String()
	default:
		return p.op.String()
	}
	return p.op.String() + " " + shorten(operand)
}

// String writes the range as its author would.
func (r numberRange) String() string {
	var parts []string
	for _, side := range []struct {
		name  string
		value *float64
	}{{"min", r.min}, {"max", r.max}, {"equals", r.equals}} {
		if side.value != nil {
			parts = append(parts, side.name+" "+facts.FormatNumber(*side.value))
		}
	}
	return strings.Join(parts, ", ")
}

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
	Value    facts.Value // what was compared, shortened where it is long; only if values were asked for
	Cut      bool        // Value is not all of it; where there was no room for any, Value is absent
	Children []*Trace
	Unlisted int // how many children there are beside these; they were evaluated all the same

	tree *recording
}

// What a tree holds at most: more than people look at, and little enough that any number of them can be
// made at the same time. Everything is still evaluated.
const (
	maxTracedItems = 1000     // of one array, and values of one query
	maxTraced      = 20_000   // nodes
	maxTracedText  = 16 << 20 // bytes of nodes, with what they say
	maxValue       = 4 << 10  // bytes of one value
	maxValues      = 4 << 20  // bytes of all values
	tracedBytes    = 128      // what a node counts as beside what it says
)

// recording is what the nodes of one tree have in common.
type recording struct {
	values bool
	room   func(bytes int) bool // asked before the tree grows; nil: there is room
	full   bool                 // there was no room
	nodes  int                  // that there may still be
	spare  int                  // of these, those that are left for further items of arrays
	bytes  int                  // that nodes and values have taken
	texts  int                  // of these, those of nodes
	shown  int                  // and those of values
	asked  int                  // bytes that there is room for
	blank  *Trace               // stands for all nodes that are not recorded
}

// roomPiece is how much room is asked for at once, in bytes. The first of them nobody is asked for.
const roomPiece = 64 << 10

// newTrace makes the root of a tree. The condition itself is recorded before the items that it is about,
// so that each of its parts is there, in whatever order they come.
func newTrace(n *node, values bool, room func(bytes int) bool) *Trace {
	tree := &recording{values: values, room: room, nodes: maxTraced - 1, spare: max(0, maxTraced-n.traced()), asked: roomPiece}
	tree.blank = &Trace{tree: tree}
	return &Trace{tree: tree}
}

// traced is how many nodes a trace of the condition has, with two items of each array: the first, and
// one that settles the result.
func (n *node) traced() int {
	count := 1 + n.tracedOperators()
	if n.expr.kind == exprVisual && n.expr.query.kind == visualMatch {
		count += 2 * n.tracedItem()
	}
	for i := range n.children {
		count += n.children[i].traced()
	}
	return count
}

func (n *node) tracedOperators() int {
	count := len(n.predicates)
	for i := range n.predicates {
		p := &n.predicates[i]
		if item := p.item(); item != nil {
			count += 2 * item.tracedItem()
		} else if inner := p.negated(); inner != nil {
			count += inner.tracedOperators()
		}
	}
	return count
}

// tracedItem is how many nodes an item has for which the condition, or its operators, must hold.
func (n *node) tracedItem() int {
	switch n.expr.kind {
	case exprField, exprVisual:
		return 1 + n.tracedOperators()
	}
	return 1 + n.traced()
}

// take counts bytes that are about to be recorded.
func (r *recording) take(bytes int) {
	if r.bytes += bytes; r.bytes <= r.asked || r.full {
		return
	}
	more := max(roomPiece, r.bytes-r.asked)
	if r.asked += more; r.room != nil && !r.room(more) {
		r.full = true
	}
}

// recorded tells whether what is told of a node is kept.
func (t *Trace) recorded() bool { return t != nil && t != t.tree.blank }

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

// A nil Trace records nothing, and evaluation stops where all is settled; a blank one records nothing
// either, but everything is evaluated. Evaluation calls the methods in any case.

// child makes the trace of a child condition.
func (t *Trace) child() *Trace {
	if !t.recorded() {
		return t
	}
	tree := t.tree
	if tree.nodes <= 0 || tree.texts >= maxTracedText || tree.full {
		return t.unlisted()
	}
	tree.nodes--
	c := &Trace{tree: tree}
	t.Children = append(t.Children, c)
	return c
}

// unlisted counts a child that there is no place for.
func (t *Trace) unlisted() *Trace {
	t.Unlisted++
	return t.tree.blank
}

// childOf makes the trace of a field of an item.
func (t *Trace) childOf(n *node) *Trace {
	c := t.child()
	c.describe(n)
	return c
}

// item makes the trace of one item.
func (t *Trace) item(n *node, index int) *Trace {
	if !t.recorded() {
		return t
	}
	if index > 0 {
		if t.Unlisted > 0 || len(t.Children) >= maxTracedItems {
			return t.unlisted()
		}
		nodes := n.tracedItem()
		if nodes > t.tree.spare {
			return t.unlisted()
		}
		t.tree.spare -= nodes
	}
	return t.child().ofItem(n, index)
}

// settling makes the trace of an item that was not listed and that settles the result.
func (t *Trace) settling(n *node, index int) *Trace {
	t.Unlisted--
	return t.child().ofItem(n, index)
}

func (t *Trace) ofItem(n *node, index int) *Trace {
	if t.recorded() {
		t.Kind, t.Label = "item", fmt.Sprintf("item %d", index+1)
		if n.expr.kind == exprField && n.expr.path != "" {
			t.Label += " ." + diag.Short(n.expr.path)
		}
	}
	return t
}

// operator makes the trace of an operator.
func (t *Trace) operator(p *predicate) *Trace {
	c := t.child()
	if c.recorded() {
		c.Kind, c.Label = "operator", p.label()
		c.Source, c.Span = p.operator.key.Source(), p.operator.key.Span()
	}
	return c
}

// begin notes when a node starts, and what it is.
func (t *Trace) begin(n *node) time.Time {
	if !t.recorded() {
		return time.Time{}
	}
	if n != nil {
		t.describe(n)
	}
	return time.Now()
}

func (t *Trace) end(result Tri, start time.Time) {
	if !t.recorded() {
		return
	}
	t.Result, t.Duration = result, time.Since(start)
	bytes := tracedBytes + len(t.Label) + len(t.Reason)
	if t.Source != nil {
		bytes += len(t.Source.Name())
	}
	t.tree.texts += bytes
	t.tree.take(bytes)
}

// unasked adds the operators of a node that has no value to put to them.
func (t *Trace) unasked(n *node) {
	if !t.recorded() || len(t.Children)+t.Unlisted > 0 {
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
	if !t.recorded() || !t.tree.values {
		return
	}
	var took int
	t.Value, took, t.Cut = v.Shortened(min(maxValue, maxValues-t.tree.shown))
	t.tree.shown += took
	t.tree.take(took)
}

func (t *Trace) describe(n *node) {
	if !t.recorded() {
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
		t.Kind, t.Label = "path", diag.Short(e.path)
	case exprVisual:
		t.Kind, t.Label = "visual", e.query.kind.String()+" "+diag.Short(e.query.text)
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

package cond

import (
	"fmt"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// items evaluates any, all or none over the items of an array (docs/reference/operators.md,
// docs/reference/conditions.md). Empty: any is false, all is false, none is true.
func (ev *Evaluation) items(n *node, p *predicate, items []facts.Value, t *Trace) Tri {
	some, every := False, True
	var d digression
	settles := True
	if p.op == allItemsOp {
		settles = False
	}
	long := len(items) >= longArray
	if long {
		ev.slow() // the clock runs from the first item on
	}
	for i, item := range items {
		settled := some == True && settles == True || every == False && settles == False
		if !ev.further(settled, t, &d) {
			break
		}
		if long && ev.step(1) && ev.slow() <= 0 {
			ev.timeout(n, t, diag.ConditionTimeout, ev.limits.Condition, "the condition")
			ev.overdue = true
		} else {
			child := t.item(p.item(), i)
			start := child.begin(nil)
			result := ev.item(p.item(), item, child)
			child.end(result, start)
			if result == settles && !settled && t.recorded() && !child.recorded() {
				ev.again(t.settling(p.item(), i), t, result, func(child *Trace) { ev.item(p.item(), item, child) })
			}
			some, every = some.or(result), every.and(result)
		}
		if ev.overdue { // the reason has been told
			if !d.on {
				return Null
			}
			break
		}
	}
	ev.resume(&d)
	switch p.op {
	case anyItemOp:
		return some
	case noItemOp:
		return some.Not()
	}
	if len(items) == 0 {
		if t != nil {
			t.Reason = "the array is empty"
		}
		return False
	}
	return every
}

// again evaluates an item that came to this result without a trace, for its trace alone: matching knows nothing of it.
func (ev *Evaluation) again(child, parent *Trace, result Tri, evaluate func(*Trace)) {
	var d digression
	if child.recorded() && ev.further(true, parent, &d) {
		start := child.begin(nil)
		evaluate(child)
		child.end(result, start)
	}
	ev.resume(&d)
}

// item evaluates the condition on one item, whose trace is t.
func (ev *Evaluation) item(n *node, item facts.Value, t *Trace) Tri {
	switch n.expr.kind {
	case exprAll:
		return ev.itemAll(n, item, t)
	case exprNot:
		return ev.itemPart(n, item, t.childOf(n))
	}
	return ev.itemField(n, item, t)
}

// itemPart evaluates a part of the condition on an item; t is its own trace.
func (ev *Evaluation) itemPart(n *node, item facts.Value, t *Trace) Tri {
	if n.expr.kind == exprField {
		return ev.itemField(n, item, t)
	}
	start := t.begin(nil)
	var result Tri
	if n.expr.kind == exprNot {
		child := &n.children[0]
		result = ev.itemPart(child, item, t.childOf(child)).Not()
	} else {
		result = ev.itemAll(n, item, t)
	}
	t.end(result, start)
	return result
}

func (ev *Evaluation) itemAll(n *node, item facts.Value, t *Trace) Tri {
	result := True
	var d digression
	for i := range n.children {
		if !ev.further(result == False, t, &d) {
			break
		}
		child := &n.children[i]
		result = result.and(ev.itemPart(child, item, t.childOf(child)))
	}
	ev.resume(&d)
	return result
}

func (ev *Evaluation) itemField(n *node, item facts.Value, t *Trace) Tri {
	if n.expr.path == "" {
		t.value(item)
		ev.steps += len(item.Text()) / bytesPerStep
		if item.IsAbsent() {
			return ev.itemMissing(n, item, t)
		}
		return ev.operators(n, item, nil, t)
	}
	start := t.begin(nil)
	var v facts.Value
	if n.expr.known != nil { // what no schema knows is unknown (docs/reference/conditions.md)
		v = facts.Item(item, n.expr.path)
	}
	t.value(v)
	ev.steps += len(v.Text()) / bytesPerStep
	var result Tri
	if v.IsAbsent() {
		result = ev.itemMissing(n, v, t)
	} else {
		result = ev.operators(n, v, nil, t)
	}
	t.end(result, start)
	return result
}

func (ev *Evaluation) itemMissing(n *node, v facts.Value, t *Trace) Tri {
	ev.pass(v)
	if t.recorded() {
		t.Reason = "the item has no value here"
		if why := v.Reason(); why != "" {
			t.Reason = why
		}
		t.unasked(n)
	}
	if t != nil && !ev.told(diag.ConditionPathMissing, n.expr.node) {
		name := n.expr.path
		if name == "" {
			name = "item"
		}
		d := diag.At(n.expr.node.Source(), n.expr.node.Span(), diag.ConditionPathMissing, "%s", fmt.Sprintf("an item has no `%s`", name))
		d.Path = name
		ev.add(d)
	}
	return Null
}

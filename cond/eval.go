package cond

import (
	"fmt"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Eval decides the program against the evaluation's snapshot, looking at no
// more than it must. Time-outs are added to the list.
func (p *Program) Eval(ev *Evaluation, limits Limits, list *diag.List) Tri {
	ev.begin(limits, list)
	return ev.node(&p.root, nil)
}

// Explain is Eval with every node evaluated and recorded. The list also gets
// missing paths and operators that cannot be applied. With values, the trace
// holds what was compared; otherwise nothing of the context is in it.
//
// A tree has 20,000 nodes at most, and values of it 4 KiB each and 4 MiB together. Where the
// condition needs more, its own parts are recorded before items, in the order of the file, and
// each node says how many children are missing.
func (p *Program) Explain(ev *Evaluation, limits Limits, list *diag.List, values bool) (Tri, *Trace) {
	t := newTrace(&p.root, values, ev.room)
	return p.trace(ev, limits, list, t), t
}

// Review is Explain for callers that want no tree: the result, the list, and how long it took.
func (p *Program) Review(ev *Evaluation, limits Limits, list *diag.List) (Tri, time.Duration) {
	start := time.Now()
	result := p.trace(ev, limits, list, newTrace(&p.root, false, nil).tree.blank)
	return result, time.Since(start) + ev.charged
}

func (p *Program) trace(ev *Evaluation, limits Limits, list *diag.List, t *Trace) Tri {
	ev.begin(limits, list)
	ev.spare = ev.limits.Matching
	if ev.shared != nil { // one of many programs: what matching skips is not worth as much
		ev.spare /= 8
	}
	return ev.node(&p.root, t)
}

// node evaluates a condition. A nil trace means: stop as soon as it is settled.
func (ev *Evaluation) node(n *node, t *Trace) Tri {
	start, charged := t.begin(n), ev.charged
	var result Tri
	switch n.expr.kind {
	case exprConst:
		result = triOf(n.expr.value)
	case exprAll:
		result = ev.all(n.children, t)
	case exprAny:
		result = ev.any(n.children, t)
	case exprNone:
		result = ev.any(n.children, t).Not()
	case exprNot:
		result = ev.all(n.children, t).Not()
	case exprField:
		result = ev.leaf(n, t, ev.field)
	case exprVisual:
		result = ev.leaf(n, t, ev.visual)
	}
	if ev.expired && !ev.aside || ev.gone {
		result = Null // it is the whole program that is skipped
	}
	t.end(result, start)
	if t != nil {
		t.Duration += ev.charged - charged
	}
	return result
}

func (ev *Evaluation) all(children []node, t *Trace) Tri {
	result := True
	var d digression
	for i := range children {
		if !ev.further(result == False, t, &d) {
			break
		}
		result = result.and(ev.node(&children[i], t.child()))
	}
	ev.resume(&d)
	return result
}

func (ev *Evaluation) any(children []node, t *Trace) Tri {
	result := False
	var d digression
	for i := range children {
		if !ev.further(result == True, t, &d) {
			break
		}
		result = result.or(ev.node(&children[i], t.child()))
	}
	ev.resume(&d)
	return result
}

// digression is the state that matching is in while explain looks at what
// matching would not come to, on time of its own.
type digression struct {
	on                  bool
	at                  time.Time
	matching, condition time.Time
	expired, overdue    bool
}

// further tells whether to go on with the parts of a condition: matching stops
// when it is settled or the program has expired, explain goes on aside.
func (ev *Evaluation) further(settled bool, t *Trace, d *digression) bool {
	if ev.gone = ev.gone || t != nil && t.tree.full; ev.gone {
		return false
	}
	if ev.aside || !settled && !ev.expired {
		return true
	}
	if t == nil {
		return false
	}
	*d = digression{true, ev.now(), ev.matching, ev.condition, ev.expired, ev.overdue}
	ev.matching, ev.condition = d.at.Add(ev.spare), time.Time{}
	ev.expired, ev.overdue, ev.aside = false, false, true
	return true
}

// resume ends a digression, if there was one: to matching it took no time.
func (ev *Evaluation) resume(d *digression) {
	if !d.on {
		return
	}
	took := ev.now().Sub(d.at)
	ev.spare = max(0, ev.spare-took)
	ev.matching, ev.condition = later(d.matching, took), later(d.condition, took)
	ev.expired, ev.overdue, ev.aside = d.expired, d.overdue, false
}

// later moves the end of a limit that has begun.
func later(end time.Time, by time.Duration) time.Time {
	if end.IsZero() {
		return end
	}
	return end.Add(by)
}

// field evaluates the operators on the value at a path (docs/reference/conditions.md).
func (ev *Evaluation) field(n *node, t *Trace) Tri {
	if n.expr.known == nil {
		return ev.missing(n, t, "no value has this path")
	}
	v := ev.snapshot.At(n.expr.known)
	t.value(v)
	if v.IsAbsent() {
		return ev.absent(n, t)
	}
	return ev.operators(n, v, stored(n.expr.known), t)
}

// stored is a path whose value stands in the snapshot itself; nil for one that is
// picked from there.
func stored(path *facts.Path) *facts.Path {
	if !path.Stored() {
		return nil
	}
	return path
}

// absent tells why a path has no value.
func (ev *Evaluation) absent(n *node, t *Trace) Tri {
	why := ev.snapshot.WhyAbsent(n.expr.known.Name)
	reason := why.Reason
	if reason == "" {
		reason = "not in the context"
	}
	return ev.missing(n, t, reason)
}

func (ev *Evaluation) missing(n *node, t *Trace, reason string) Tri {
	if t != nil {
		t.Reason = reason
		d := diag.At(n.expr.node.Source(), n.expr.node.Span(), diag.ConditionPathMissing, "`%s` has no value: %s", n.expr.path, reason)
		d.Path = n.expr.path
		ev.add(d)
		t.unasked(n)
	}
	return Null
}

// operators applies all operators of an object to a value; three-valued all.
// at is the value's path when it stands in the snapshot itself, else nil.
func (ev *Evaluation) operators(n *node, v facts.Value, at *facts.Path, t *Trace) Tri {
	result := True
	var d digression
	for i := range n.predicates {
		if !ev.further(result == False, t, &d) {
			break
		}
		result = result.and(ev.predicate(n, &n.predicates[i], v, at, t))
	}
	ev.resume(&d)
	t.asWritten()
	return result
}

func (ev *Evaluation) predicate(n *node, p *predicate, v facts.Value, at *facts.Path, t *Trace) Tri {
	ev.pass(v)
	child := t.operator(p)
	start := child.begin(nil)
	result, applies := ev.apply(n, p, v, at, child)
	if !applies {
		result = False
		if child.recorded() {
			child.Reason = fmt.Sprintf("`%s` cannot be applied to %s", p.op, v.Kind())
		}
		if key := p.operator.key; child != nil && !ev.told(diag.ConditionTypeMismatch, key) {
			d := diag.At(key.Source(), key.Span(), diag.ConditionTypeMismatch, "`%s` cannot be applied to %s", p.op, mismatch(p, v))
			d.Path = n.expr.path
			ev.add(d)
		}
	}
	child.end(result, start)
	return result
}

// mismatch says what an operator met that it cannot be applied to.
func mismatch(p *predicate, v facts.Value) string {
	if len(p.values()) == 1 && (v.Kind() == facts.String || v.Kind() == facts.Number || v.Kind() == facts.Bool) && (p.op == equalsOp || p.op == containsOp) {
		return v.Kind().String() + " with " + p.values()[0].Kind().String()
	}
	return v.Kind().String()
}

// Tri is a three-valued truth (docs/reference/conditions.md). The zero value is unknown.
type Tri uint8

const (
	Null Tri = iota
	False
	True
)

// triOf makes a settled truth.
func triOf(b bool) Tri {
	if b {
		return True
	}
	return False
}

// String is true, false or null.
func (t Tri) String() string {
	switch t {
	case True:
		return "true"
	case False:
		return "false"
	}
	return "null"
}

// MarshalJSON writes true, false or null.
func (t Tri) MarshalJSON() ([]byte, error) { return []byte(t.String()), nil }

// Not swaps true and false; unknown stays.
func (t Tri) Not() Tri {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return Null
}

// and and or combine two values; over several, they are the rules of docs/reference/conditions.md.
func (t Tri) and(u Tri) Tri {
	switch {
	case t == False || u == False:
		return False
	case t == True && u == True:
		return True
	}
	return Null
}

func (t Tri) or(u Tri) Tri {
	switch {
	case t == True || u == True:
		return True
	case t == False && u == False:
		return False
	}
	return Null
}

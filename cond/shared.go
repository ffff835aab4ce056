package cond

import (
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// worthSharing is from how long on the result of a condition is kept for other
// programs that have the same one: quick ones are not worth a key.
const worthSharing = time.Millisecond

// sharedResult is what a slow condition came to.
type sharedResult struct {
	result   Tri
	problems diag.List
	price    price
}

// ShareSlow lets programs with an equal, slow condition and equal limits share
// its result: it is evaluated once for the snapshot, however many have it. The
// trace of a condition that was shared has no children.
func (ev *Evaluation) ShareSlow() {
	if ev.shared == nil {
		ev.shared = map[string]sharedResult{}
	}
}

// leaf evaluates a field or visual condition, or takes the result that another
// program came to.
func (ev *Evaluation) leaf(n *node, t *Trace, evaluate func(*node, *Trace) Tri) Tri {
	ev.condition, ev.overdue = time.Time{}, false
	if ev.shared == nil || n.expr.kind == exprField && slowPredicates(n) == 0 {
		return evaluate(n, t)
	}
	if len(ev.shared) > 0 {
		if known, ok := ev.shared[ev.sharedKey(n)]; ok {
			if !known.price.unfinished {
				return ev.takeOver(n, t, known)
			}
			if ev.hopeless(known.price) {
				return ev.expire(n, t)
			}
		}
	}
	var own diag.List
	wanted := ev.diagnosed
	ev.diagnosed = &own
	start := ev.now()
	left := ev.left(start)
	result := evaluate(n, t)
	took := ev.now().Sub(start)
	ev.diagnosed = wanted
	for _, d := range own {
		ev.add(d)
	}
	switch {
	case ev.expired && !ev.aside:
		ev.shared[ev.sharedKey(n)] = sharedResult{price: price{left, true}}
	case !ev.expired && took >= worthSharing:
		ev.shared[ev.sharedKey(n)] = sharedResult{result, own, price{time: took}}
	}
	return result
}

// takeOver takes a result that another program came to, at its price.
func (ev *Evaluation) takeOver(n *node, t *Trace, known sharedResult) Tri {
	if !ev.pay(known.price) {
		return ev.expire(n, t)
	}
	for _, d := range known.problems {
		d.Source, d.Span = n.expr.node.Source(), n.expr.node.Span()
		ev.add(d)
	}
	if t != nil && len(known.problems) > 0 {
		t.Reason = known.problems[0].Message
	}
	return known.result
}

// sharedKey is everything that decides what a condition comes to.
func (ev *Evaluation) sharedKey(n *node) string {
	l := &linker{queries: map[queryText]string{}}
	l.nodeKey(n)
	l.limitsKey(&ev.limits)
	return string(l.key)
}

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
	if ev.shared == nil || n.expr.Kind == Field && slowPredicates(n) == 0 {
		return evaluate(n, t)
	}
	if len(ev.shared) > 0 {
		if known, ok := ev.shared[ev.sharedKey(n)]; ok {
			for _, d := range known.problems {
				d.Source, d.Span = n.expr.Node.Source(), n.expr.Node.Span()
				ev.add(d)
			}
			if t != nil && len(known.problems) > 0 {
				t.Reason = known.problems[0].Message
			}
			return known.result
		}
	}
	var own diag.List
	wanted := ev.diagnosed
	ev.diagnosed = &own
	start := time.Now()
	result := evaluate(n, t)
	took := time.Since(start)
	ev.diagnosed = wanted
	for _, d := range own {
		ev.add(d)
	}
	if took >= worthSharing && !ev.expired { // the program's own limit says nothing about others
		ev.shared[ev.sharedKey(n)] = sharedResult{result, own}
	}
	return result
}

// sharedKey is everything that decides what a condition comes to.
func (ev *Evaluation) sharedKey(n *node) string {
	l := &linker{queries: map[queryText]string{}}
	l.nodeKey(n)
	l.limitsKey(&ev.limits)
	return string(l.key)
}

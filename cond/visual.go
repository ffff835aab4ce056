package cond

import (
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// visual evaluates one of the three visual conditions (MS §15).
func (ev *Evaluation) visual(n *node, t *Trace) Tri {
	scene := ev.tree()
	if scene == nil {
		return ev.noTree(n, t)
	}
	if ev.limits.Condition == DefaultLimits().Condition {
		// What nobody asked for does not shorten a query, which has a limit of its own.
		ev.condition = time.Now().Add(max(ev.limits.Condition, ev.limits.VisualQuery))
	}
	left := ev.slow()
	if left <= 0 {
		return ev.timeout(n, t, diag.ConditionTimeout, ev.limits.Condition, "the condition")
	}
	limits := visual.Limits{Time: ev.limits.VisualQuery, Regex: ev.limits.Regex, Deadline: time.Now().Add(left)}
	var result Tri
	var outcome visual.Outcome
	switch n.expr.Query.Kind {
	case Exists:
		var found bool
		found, outcome = n.query.Exists(scene, limits)
		result = Of(found)
	case CountOf:
		var count int
		count, outcome = n.query.Count(scene, limits)
		if outcome == visual.Done {
			t.value(facts.Num(float64(count)))
			result = ev.operators(n, facts.Num(float64(count)), nil, t)
		}
	case Match:
		result, outcome = ev.visualMatch(n, scene, limits, t)
	}
	if outcome == visual.Done {
		return result
	}
	return ev.visualUnknown(n, t, outcome)
}

// visualMatch is true if some selected value satisfies the operators.
func (ev *Evaluation) visualMatch(n *node, scene *visual.Scene, limits visual.Limits, t *Trace) (Tri, visual.Outcome) {
	result := False
	count := 0
	outcome := n.query.Visit(scene, limits, func(_ int, v facts.Value) bool {
		child := t.item(n, count)
		start := child.begin(nil)
		child.value(v)
		r := ev.operators(n, v, nil, child)
		child.end(r, start)
		result = result.or(r)
		count++
		return !ev.expired && (t != nil || result != True)
	})
	if count == 0 && t != nil {
		t.Reason = "the query selects nothing"
	}
	if result == True { // settled, whatever the values behind it would have been
		outcome = visual.Done
	}
	return result, outcome
}

func (ev *Evaluation) noTree(n *node, t *Trace) Tri {
	why := ev.snapshot.WhyAbsent(facts.Visual)
	reason := why.Reason
	if reason == "" {
		reason = "no visible elements are in the context"
	}
	if t != nil {
		t.Reason = reason
		d := diag.At(n.expr.Node.Source(), n.expr.Node.Span(), diag.VisualUnavailable, "%s", reason)
		d.Path = facts.Visual
		ev.add(d)
	}
	return Null
}

func (ev *Evaluation) visualUnknown(n *node, t *Trace, outcome visual.Outcome) Tri {
	switch outcome {
	case visual.NoPrimary:
		if t != nil {
			t.Reason = "there is no primary element for `.`"
			d := diag.At(n.expr.Node.Source(), n.expr.Node.Span(), diag.VisualUnavailable, "the query begins at the primary element, and there is none")
			d.Path = facts.Visual
			ev.add(d)
		}
		return Null
	case visual.RegexTimedOut:
		return ev.timeout(n, t, diag.RegexTimeout, ev.limits.Regex, "a regular expression of the query")
	}
	if ev.limits.VisualQuery > ev.limits.Condition && ev.limits.Condition != DefaultLimits().Condition {
		return ev.timeout(n, t, "", ev.limits.Condition, "the condition")
	}
	return ev.timeout(n, t, diag.VisualQueryTimeout, ev.limits.VisualQuery, "the visual query")
}

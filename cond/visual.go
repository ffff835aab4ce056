package cond

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// visual evaluates one of the three visual conditions (docs/reference/visual.md).
func (ev *Evaluation) visual(n *node, t *Trace) Tri {
	index := ev.tree()
	if index == nil {
		t.unasked(n)
		return ev.noTree(n, t)
	}
	if ev.limits.Condition == DefaultLimits().Condition {
		// What nobody asked for does not shorten a query, which has a limit of its own.
		ev.condition = ev.now().Add(max(ev.limits.Condition, ev.limits.VisualQuery))
	}
	left := ev.slow()
	if left <= 0 {
		return ev.timeout(n, t, diag.ConditionTimeout, ev.limits.Condition, "the condition")
	}
	limits := visual.Limits{Time: ev.limits.VisualQuery, Regex: ev.limits.Regex, Deadline: time.Now().Add(left), Context: ev.within}
	if ev.clock != nil {
		if !ev.clock.take(n.expr.query.text, min(left, limits.Time)) {
			return ev.visualUnknown(n, t, visual.TimedOut, left)
		}
		limits.Deadline = time.Time{}
	}
	var result Tri
	var outcome visual.Outcome
	switch n.expr.query.kind {
	case visualExists:
		var found bool
		found, outcome = n.query.Exists(index, limits)
		result = triOf(found)
		if !found && outcome == visual.Done && !n.query.Whole(index) {
			return ev.leftOut(n, t)
		}
	case visualCount:
		var count int
		count, outcome = n.query.Count(index, limits)
		if outcome == visual.Done {
			t.value(facts.Num(float64(count)))
			if n.query.Whole(index) {
				result = ev.operators(n, facts.Num(float64(count)), nil, t)
			} else {
				result = ev.atLeast(n, float64(count), t)
			}
		}
	case visualMatch:
		result, outcome = ev.visualMatch(n, index, limits, t)
	}
	if outcome == visual.Done {
		return result
	}
	t.unasked(n)
	return ev.visualUnknown(n, t, outcome, left)
}

// visualMatch is true if some selected value satisfies the operators.
func (ev *Evaluation) visualMatch(n *node, index *visual.Index, limits visual.Limits, t *Trace) (Tri, visual.Outcome) {
	result := False
	count := 0
	var d digression
	outcome := n.query.Visit(index, limits, func(_ int, v facts.Value) bool {
		if !ev.further(result == True, t, &d) {
			return false
		}
		child := t.item(n, count)
		start := child.begin(nil)
		child.value(v)
		r := ev.operators(n, v, nil, child)
		child.end(r, start)
		if r == True && result != True && t.recorded() && !child.recorded() {
			ev.again(t.settling(n, count), t, r, func(child *Trace) {
				child.value(v)
				ev.operators(n, v, nil, child)
			})
		}
		result = result.or(r)
		count++
		return t != nil || result != True && !ev.expired
	})
	ev.resume(&d)
	if count == 0 && t != nil {
		t.Reason = "the query selects nothing"
	}
	if result == True { // settled, whatever the values after it would have been
		outcome = visual.Done
	} else if outcome == visual.Done && !n.query.Whole(index) {
		result = ev.leftOut(n, t)
	}
	return result, outcome
}

// atLeast compares a number of elements that may be larger, since a part of the
// window was left out: what a larger number would change is unknown.
func (ev *Evaluation) atLeast(n *node, count float64, t *Trace) Tri {
	result := True
	for i := range n.predicates {
		p := &n.predicates[i]
		child := t.operator(p)
		start := child.begin(nil)
		r := Null
		switch {
		case p.op == minOp && p.operator.bounds.contains(count):
			r = True
		case p.op == maxOp && !p.operator.bounds.contains(count), p.op == equalsOp && count > p.values()[0].Number():
			r = False
		}
		child.end(r, start)
		result = result.and(r)
	}
	if result == Null {
		return ev.leftOut(n, t)
	}
	return result
}

// leftOut settles as unknown what a part of the window that was left out could
// change.
func (ev *Evaluation) leftOut(n *node, t *Trace) Tri {
	if t != nil {
		t.Reason = missing(ev.snapshot.Tree())
		d := diag.At(n.expr.node.Source(), n.expr.node.Span(), diag.VisualUnavailable, "%s", t.Reason)
		d.Path = facts.Visual
		ev.add(d)
	}
	return Null
}

// missing says what of a window was not read.
func missing(tree *facts.Tree) string {
	if what := tree.Partial(); what != "" {
		return "not all visible elements were read: " + what
	}
	return fmt.Sprintf("not all texts of visible elements were read: %d are not known", tree.Unread())
}

func (ev *Evaluation) noTree(n *node, t *Trace) Tri {
	why := ev.snapshot.WhyAbsent(facts.Visual)
	reason := why.Reason
	if reason == "" {
		reason = "no visible elements are in the context"
	}
	if t != nil {
		t.Reason = reason
		d := diag.At(n.expr.node.Source(), n.expr.node.Span(), diag.VisualUnavailable, "%s", reason)
		d.Path = facts.Visual
		ev.add(d)
	}
	return Null
}

// visualUnknown settles a query without an answer. left is what it had of the time of
// the program and of the condition.
func (ev *Evaluation) visualUnknown(n *node, t *Trace, outcome visual.Outcome, left time.Duration) Tri {
	switch outcome {
	case visual.NoPrimary:
		if t != nil {
			t.Reason = "there is no primary element for `.`"
			d := diag.At(n.expr.node.Source(), n.expr.node.Span(), diag.VisualUnavailable, "the query begins at the primary element, and there is none")
			d.Path = facts.Visual
			ev.add(d)
		}
		return Null
	case visual.RegexTimedOut:
		return ev.timeout(n, t, diag.RegexTimeout, ev.limits.Regex, "a regular expression of the query")
	}
	if left < ev.limits.VisualQuery {
		return ev.cutShort(n, t)
	}
	return ev.timeout(n, t, diag.VisualQueryTimeout, ev.limits.VisualQuery, "the visual query")
}

// visualOperators are the operators that each visual condition takes beside its
// query.
var visualOperators = [][]string{
	visualExists: {},
	visualCount:  {"min", "max", "equals"},
	visualMatch:  {"equals", "in", "contains", "startsWith", "endsWith", "regex", "glob", "min", "max", "length", "containsAny", "containsAll", "not"},
}

func (p *parser) visual(kind visualKind, e document.Entry) *Expr {
	expr := &Expr{kind: exprVisual, node: e.Key, query: &visualQuery{kind: kind}}
	if e.Value.Kind != document.Mapping {
		hint := "write `" + e.Key.Text + ": { query: \"//Button\" }`"
		if e.Value.Kind == document.String {
			hint = "write `" + e.Key.Text + ": { query: " + shorten(scalarText(e.Value)) + " }`"
		}
		p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` takes an object with a `query`, not %s", e.Key.Text, e.Value.Kind)
		return expr
	}
	if entries := p.together(e.Value, operatorEnd); len(entries) > 0 && &entries[0] != &e.Value.Entries[0] {
		e.Value = document.MapOf(entries...)
	}
	query := e.Value.Get("query")
	switch {
	case query == nil:
		p.add(e.Key, diag.StrategyInvalidWhen, "add `query: \"//Button\"`", "`%s` has no `query`", e.Key.Text)
	case query.Kind != document.String:
		p.add(query, diag.StrategyInvalidWhen, "put the query in quotes", "`query` takes a string, not %s", query.Kind)
	default:
		expr.query.text, expr.query.node = query.Text, query
	}
	allowed := visualOperators[kind]
	skip := []string{"query"}
	for _, entry := range e.Value.Entries {
		name := entry.Key.Text
		if name == "query" || name == caseSensitive || slices.Contains(allowed, name) {
			continue
		}
		skip = append(skip, name)
		names := append([]string{"query", caseSensitive}, allowed...)
		hint := didYouMean(name, names, "`"+e.Key.Text+"` takes "+strings.Join(names, ", "))
		if kind == visualExists && slices.Contains(visualOperators[visualCount], name) {
			hint = "use `visual.count` to compare a number"
		}
		p.add(entry.Key, diag.StrategyUnknownOperator, hint, "`%s` has no `%s`", e.Key.Text, name)
	}
	if slices.Contains(allowed, "not") && !p.negatable(e.Key.Text, e.Value.Get("not"), allowed) {
		skip = append(skip, "not")
	}
	p.operatorEntries(expr, e.Value, nil, skip)
	if equals := e.Value.Get("equals"); kind == visualCount && equals != nil && equals.IsScalar() {
		if _, isNumber := equals.Number(); !isNumber && !p.hasProblemIn(equals) {
			p.add(equals, diag.StrategyInvalidWhen, "write it like `equals: 1`", "`equals` of a count takes a number, not %s", equals.Kind)
		}
	}
	if kind != visualExists && len(expr.operators) == 0 && !p.hasProblemIn(e.Value) {
		p.add(e.Key, diag.StrategyInvalidWhen, "add `"+allowed[0]+": …`", "`%s` compares with nothing", e.Key.Text)
	}
	return expr
}

// negatable checks that `not` holds only operators that the condition takes.
func (p *parser) negatable(condition string, not *document.Node, allowed []string) bool {
	if not == nil || not.Kind != document.Mapping {
		return true
	}
	fine := true
	for _, e := range not.Entries {
		name := e.Key.Text[:operatorEnd(e)]
		switch {
		case name == "not":
			fine = p.negatable(condition, e.Value, allowed) && fine
		case name != caseSensitive && isOperatorWord(name) && !slices.Contains(allowed, name):
			p.add(e.Key, diag.StrategyUnknownOperator, "`"+condition+"` takes "+strings.Join(allowed, ", "), "`%s` has no `%s`", condition, name)
			fine = false
		}
	}
	return fine
}

package cond

import (
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
)

// apply runs one operator on one value; applies is false when the operator is
// not for values of this kind (docs/reference/operators.md).
func (ev *Evaluation) apply(n *node, p *predicate, v facts.Value, at *facts.Path, t *Trace) (result Tri, applies bool) {
	switch p.op {
	case equalsOp:
		operand := &p.values()[0]
		if v.Kind() != operand.Kind() {
			return False, false
		}
		return triOf(ev.equal(p, v, *operand, at)), true
	case inOp:
		return ev.in(p, v, at)
	case containsOp:
		return ev.contains(p, v, p.values()[0], at)
	case containsAnyOp:
		return ev.containsAny(p, v, at)
	case containsAllOp:
		return ev.containsAll(p, v, at)
	case notOp:
		return ev.operators(p.negated(), v, at, t).Not(), true
	case lengthOp:
		if v.Kind() != facts.String {
			return False, false
		}
		return triOf(ev.length(at, v.Text(), &p.operator.bounds)), true
	case countOp:
		if v.Kind() != facts.Array {
			return False, false
		}
		return triOf(p.operator.bounds.contains(float64(len(v.Items())))), true
	case minOp, maxOp:
		if v.Kind() != facts.Number {
			return False, false
		}
		return triOf(p.within(v)), true
	case anyItemOp, allItemsOp, noItemOp:
		if v.Kind() != facts.Array {
			return False, false
		}
		return ev.items(n, p, v.Items(), t), true
	}
	if v.Kind() != facts.String {
		return False, false
	}
	switch p.op {
	case startsWithOp:
		return triOf(strings.HasPrefix(ev.text(p, v, at), p.text())), true
	case endsWithOp:
		return triOf(strings.HasSuffix(ev.text(p, v, at), p.text())), true
	case globOp:
		return ev.glob(n, p, ev.text(p, v, at), t), true
	}
	return ev.regex(n, p, v.Text(), t), true
}

// text is a string value in the form that operands are compared in.
func (ev *Evaluation) text(p *predicate, v facts.Value, at *facts.Path) string {
	switch {
	case p.sensitive:
		return v.Text()
	case at != nil:
		return ev.fold(at, v.Text())
	}
	return ev.foldItem(v.Text())
}

// equal compares a value with an operand of the same kind.
func (ev *Evaluation) equal(p *predicate, v, operand facts.Value, at *facts.Path) bool {
	if v.Kind() == facts.String {
		if at == nil && !p.sensitive { // one of many texts: most differ in their first characters
			return glob.EqualFolded(v.Text(), operand.Text())
		}
		return ev.text(p, v, at) == operand.Text()
	}
	return v.Number() == operand.Number() && v.Rounded() == operand.Rounded() // booleans are 0 and 1
}

// within tells whether a number keeps to the bound of Min or Max. Where the two
// look alike as float64, their digits decide.
func (p *predicate) within(v facts.Value) bool {
	bounds := &p.operator.bounds
	side, sign := bounds.min, 1
	if p.op == maxOp {
		side, sign = bounds.max, -1
	}
	if v.Number() != *side {
		return bounds.contains(v.Number())
	}
	bound, _ := facts.ParseNumber(p.operator.operand.Decimal())
	return sign*facts.CompareNumbers(v, bound) >= 0
}

func (ev *Evaluation) in(p *predicate, v facts.Value, at *facts.Path) (result Tri, applies bool) {
	if v.Kind() != facts.String && v.Kind() != facts.Number && v.Kind() != facts.Bool {
		return False, false
	}
	if texts := p.texts(); texts != nil && v.Kind() == facts.String {
		return triOf(texts[ev.text(p, v, at)]), len(texts) > 0
	}
	values := p.values()
	applies = len(values) == 0
	for _, operand := range values {
		if operand.Kind() != v.Kind() {
			continue
		}
		applies = true
		if ev.equal(p, v, operand, at) {
			return True, true
		}
	}
	return False, applies
}

// contains looks for a part of a string, or for an element of an array.
func (ev *Evaluation) contains(p *predicate, v, operand facts.Value, at *facts.Path) (result Tri, applies bool) {
	switch v.Kind() {
	case facts.String:
		if operand.Kind() != facts.String {
			return False, false
		}
		if at != nil && !p.sensitive {
			return triOf(ev.holds(at, v.Text(), operand.Text())), true
		}
		return triOf(strings.Contains(ev.text(p, v, at), operand.Text())), true
	case facts.Array:
		for _, item := range v.Items() {
			if item.Kind() == operand.Kind() && ev.equal(p, item, operand, nil) {
				return True, true
			}
		}
		return False, true
	}
	return False, false
}

// containsAny is true if one of the operands is contained. It applies if one of
// them could be.
func (ev *Evaluation) containsAny(p *predicate, v facts.Value, at *facts.Path) (result Tri, applies bool) {
	values := p.values()
	applies = len(values) == 0 && (v.Kind() == facts.String || v.Kind() == facts.Array)
	for _, operand := range values {
		if ev.pass(v); ev.gone {
			return Null, true
		}
		r, could := ev.contains(p, v, operand, at)
		if r == True {
			return True, true
		}
		applies = applies || could
	}
	return False, applies
}

// containsAll is true if every operand is contained.
func (ev *Evaluation) containsAll(p *predicate, v facts.Value, at *facts.Path) (result Tri, applies bool) {
	values := p.values()
	result, applies = True, len(values) == 0 && (v.Kind() == facts.String || v.Kind() == facts.Array)
	for _, operand := range values {
		if ev.pass(v); ev.gone {
			return Null, true
		}
		r, could := ev.contains(p, v, operand, at)
		result, applies = result.and(r), applies || could
		if result == False && applies {
			break
		}
	}
	return result, applies
}

// glob compares a text with a glob, which may take long if both are.
func (ev *Evaluation) glob(n *node, p *predicate, text string, t *Trace) Tri {
	if !p.glob().Heavy() {
		return triOf(p.glob().MatchFolded(text))
	}
	if ev.slow() > 0 {
		if matched, done := p.glob().MatchWhile(text, func() bool { return ev.slow() > 0 }); done {
			return triOf(matched)
		}
	}
	return ev.timeout(n, t, diag.ConditionTimeout, ev.limits.Condition, "the condition")
}

func (ev *Evaluation) regex(n *node, p *predicate, text string, t *Trace) Tri {
	left := ev.slow()
	if left <= 0 {
		return ev.timeout(n, t, diag.ConditionTimeout, ev.limits.Condition, "the condition")
	}
	limit := min(left, ev.limits.Regex)
	matched, outcome := ev.search(p, text, limit)
	switch outcome {
	case regex.TimedOut:
		if limit < ev.limits.Regex {
			return ev.cutShort(n, t)
		}
		return ev.timeout(n, t, diag.RegexTimeout, ev.limits.Regex, "the regular expression")
	case regex.Truncated:
		d := diag.At(p.operator.operand.Source(), p.operator.operand.Span(), diag.RegexTruncated,
			"the text is longer than the %d bytes that a regular expression sees; the rest was not looked at", regex.MaxText)
		d.Path = n.expr.path
		ev.add(d)
		if t != nil {
			t.Reason = "only the first 1 MiB of the text was looked at"
		}
	}
	return triOf(matched)
}

func (ev *Evaluation) search(p *predicate, text string, limit time.Duration) (bool, regex.Outcome) {
	if ev.clock != nil {
		if !ev.clock.take(p.operator.text, limit) {
			return false, regex.TimedOut
		}
		limit = time.Hour
	}
	bound := regex.Limit{Time: limit}
	if ev.within != nil {
		bound.Done = ev.within.Done()
	}
	return p.re().MatchString(text, bound)
}

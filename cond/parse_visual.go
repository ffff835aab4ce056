package cond

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

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

package cond

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// itemCondition reads what must hold for an item of an array: relative paths,
// or, where the items are scalars, operators on the item itself.
func (p *parser) itemCondition(e document.Entry, array *facts.Path, example string) (*Expr, bool) {
	if e.Value.Kind != document.Mapping {
		hint := "write it like `" + example + "`"
		if e.Value.Kind == document.Sequence {
			hint = "conditions on items are one object whose keys must all hold, like `" + example + "`; " + eitherOf(e.Key.Text)
		}
		p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` on an array takes an object, not %s", e.Key.Text, e.Value.Kind)
		return nil, false
	}
	if len(e.Value.Entries) == 0 {
		p.add(orKey(e), diag.StrategyInvalidWhen, "write it like `"+example+"`", "`%s` has no condition on the items", e.Key.Text)
		return nil, false
	}
	if scalarItems(array, e.Value) {
		item := &Expr{kind: exprField, node: e.Key, relative: true}
		p.operatorEntries(item, e.Value, nil, nil)
		if len(item.operators) == 0 && !p.hasProblemIn(e.Value) {
			p.add(e.Value, diag.StrategyInvalidWhen, "add an operator, such as `equals: …`", "`%s` has no operator", e.Key.Text)
		}
		return item, len(item.operators) > 0
	}
	entries := p.together(e.Value, itemEnd(array))
	children := make([]*Expr, 0, len(entries))
	for _, entry := range entries {
		if entry.Key.Text == "not" { // no schema has such a field
			child, valid := p.itemCondition(entry, array, "not: { "+firstField(array)+": { equals: … } }")
			if !valid {
				return nil, false
			}
			children = append(children, &Expr{kind: exprNot, node: entry.Key, children: []*Expr{child}})
			continue
		}
		if hint := compositeOfItems(entry.Key.Text, e.Key.Text); hint != "" {
			p.add(entry.Key, diag.StrategyUnknownOperator, hint, "`%s` cannot stand among the fields of an item", entry.Key.Text)
			return nil, false
		}
		children = append(children, p.itemField(entry, array))
	}
	if len(children) == 1 {
		return children[0], true
	}
	return &Expr{kind: exprAll, node: e.Key, children: children}, true
}

// compositeOfItems is what to write in the place of a composite, or of its name in other
// languages, among the fields of an item; "" if the key is none. word is the array word
// around it.
func compositeOfItems(key, word string) string {
	switch key {
	case "all", "and":
		return "leave it out: fields of an item that stand side by side must all hold"
	case "any", "or":
		return eitherOf(word)
	case "none":
		return "write `not:` with the fields that must not all hold, or a `not:` below each field"
	}
	return ""
}

// eitherOf says how to ask for one of several things of an item, below an array word.
func eitherOf(word string) string {
	const values = "for several values of one field write `in: [ … ]`"
	switch word {
	case "any":
		return values + "; else one condition with its own `any:` for each, under the composite `any:`"
	case "none":
		return values + "; else one condition with its own `none:` for each, under `all:`"
	case "all":
		return values + "; else `none:` with a `not:` below each field"
	}
	return values + "; else a `not:` for each"
}

// isField tells whether items have a field of this name.
func isField(array *facts.Path, name string) bool {
	if array == nil || array.Kind != facts.Array {
		return false
	}
	_, known := array.ItemField(name)
	return known
}

// scalarItems decides by the schema, and where none knows the array, by what
// the author wrote: operators only.
func scalarItems(array *facts.Path, object *document.Node) bool {
	if array != nil && array.Kind == facts.Array {
		return array.Item != facts.Object
	}
	for _, e := range object.Entries {
		if !isOperatorWord(e.Key.Text[:facts.Segments(e.Key.Text)[0]]) {
			return false
		}
	}
	return true
}

func (p *parser) itemField(e document.Entry, array *facts.Path) *Expr {
	expr := &Expr{kind: exprField, node: e.Key, path: e.Key.Text, relative: true}
	if array != nil && array.Kind == facts.Array {
		expr.known, _ = array.ItemField(expr.path)
	}
	if _, isOperator := operatorNamed(expr.path); isOperator && expr.known == nil {
		p.add(e.Key, diag.StrategyUnknownOperator, "name a field of the item first, such as `"+firstField(array)+": { … }`; several fields must all hold",
			"`%s` is not a field of the items", expr.path)
		return expr
	}
	if !facts.IsPath(expr.path, true) {
		p.add(e.Key, diag.StrategyInvalidWhen, "write a field of the item, such as `"+firstField(array)+"`", "`%s` is not a path", expr.path)
	} else if expr.known == nil && array != nil && array.Kind == facts.Array {
		names := array.ItemFields()
		p.add(e.Key, diag.ConditionUnknownPath, didYouMean(expr.path, names, "the fields are "+strings.Join(names, ", ")),
			"items of `%s` have no `%s`, so this can only be unknown", array.Name, expr.path)
	}
	p.operatorObject(expr, e, nil)
	return expr
}

func firstField(array *facts.Path) string {
	if array != nil {
		if names := array.ItemFields(); len(names) > 0 {
			return names[0]
		}
	}
	return "path"
}

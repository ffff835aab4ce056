package cond

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// operatorObject reads what a path maps to. at is the path's row, for the
// items of arrays; nil when no schema knows it.
func (p *parser) operatorObject(expr *Expr, e document.Entry, at *facts.Path) {
	if e.Value.Kind != document.Mapping {
		p.bareOperand(e)
		return
	}
	p.operatorEntries(expr, e.Value, at, nil)
	if len(expr.operators) == 0 && !p.hasProblemIn(e.Value) {
		p.add(orKey(e), diag.StrategyInvalidWhen, "add an operator, such as `equals: …`", "`%s` has no operator", e.Key.Text)
	}
}

// orKey is the value, or the key where the value has no text of its own.
func orKey(e document.Entry) *document.Node {
	if span := e.Value.Span(); span.End > span.Start {
		return e.Value
	}
	return e.Key
}

// bareOperand answers a path that maps to something else than operators, most
// often the value that was meant for `equals`.
func (p *parser) bareOperand(e document.Entry) {
	hint := "write an operator object, such as `" + e.Key.Text + ": { equals: value }`"
	switch e.Value.Kind {
	case document.Sequence:
		hint = "write `" + e.Key.Text + ": { in: [ … ] }` for one of several values, or `equals:` for one"
	case document.Null:
	default:
		hint = "write `" + e.Key.Text + ": { equals: " + shorten(scalarText(e.Value)) + " }`"
	}
	p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` takes an operator object, not %s", e.Key.Text, e.Value.Kind)
}

// scalarText is a scalar as it could stand in YAML.
func scalarText(n *document.Node) string {
	if n.Kind == document.String {
		text := n.Text
		if len(text) > maxLabel*utf8.UTFMax { // no more than is shown
			text = text[:maxLabel*utf8.UTFMax]
		}
		if strings.Contains(text, `\`) && !strings.ContainsAny(text, "'\n\r\t") {
			return "'" + text + "'" // expressions stay as they are
		}
		text = strings.ReplaceAll(text, `\`, `\\`) // a Replacer would be built for every label
		text = strings.ReplaceAll(text, `"`, `\"`)
		return `"` + strings.ReplaceAll(text, "\n", `\n`) + `"`
	}
	return n.Text
}

// maxLabel is how many characters of an operand are shown.
const maxLabel = 40

func shorten(s string) string {
	if len(s) <= maxLabel {
		return s
	}
	start := s[:min(len(s), (maxLabel+1)*utf8.UTFMax)] // a label is made for each node, and operands may be long
	if r := []rune(start); len(r) > maxLabel {
		return string(r[:maxLabel-3]) + "…"
	}
	return s
}

// operatorEntries reads operators; skip names keys that the caller has read.
func (p *parser) operatorEntries(expr *Expr, object *document.Node, at *facts.Path, skip []string) {
	for _, e := range p.together(object, operatorEnd) {
		switch {
		case slices.Contains(skip, e.Key.Text):
		case e.Key.Text == caseSensitive:
			p.caseSensitive(expr, e)
		default:
			if op, ok := p.operator(expr, e, at); ok {
				expr.operators = append(expr.operators, op)
			}
		}
	}
	for i := range expr.operators { // wherever caseSensitive stands among them
		if op := &expr.operators[i]; op.op == notOp {
			op.item.inheritCase(expr.caseSensitive)
		}
	}
}

// inheritCase takes over what the object around says of case, unless this one
// says something itself.
func (e *Expr) inheritCase(sensitive bool) {
	if e.ownCase {
		return
	}
	e.caseSensitive = sensitive
	for i := range e.operators {
		if op := &e.operators[i]; op.op == notOp {
			op.item.inheritCase(sensitive)
		}
	}
}

func (p *parser) caseSensitive(expr *Expr, e document.Entry) {
	value, ok := e.Value.Bool()
	if !ok {
		p.add(orKey(e), diag.StrategyInvalidWhen, "write `caseSensitive: true`", "`caseSensitive` takes true or false, not %s", e.Value.Kind)
	}
	expr.caseSensitive, expr.ownCase = value, true
}

// hasProblemIn tells whether something within a node was reported already.
func (p *parser) hasProblemIn(node *document.Node) bool {
	span := node.Span()
	return slices.ContainsFunc(p.list, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Span.Start >= span.Start && d.Span.Start <= span.End
	})
}

func (p *parser) operator(expr *Expr, e document.Entry, at *facts.Path) (operator, bool) {
	index, ok := operatorNamed(e.Key.Text)
	if !ok {
		p.unknownOperator(e.Key)
		return operator{}, false
	}
	row := operators[index]
	op := operator{op: row.op, key: e.Key, operand: e.Value}
	switch row.takes {
	case scalar:
		v, valid := scalarValue(e.Value)
		if valid {
			op.values = []facts.Value{v}
			return op, true
		}
		p.wrongOperand(e, "a string, number or boolean", row.example)
	case scalars:
		return p.scalarList(op, e, row.example)
	case text:
		if e.Value.Kind == document.String {
			op.text = e.Value.Text
			return op, true
		}
		p.wrongOperand(e, "a string", row.example)
	case number:
		if parsed, valid := facts.ParseNumber(e.Value.Decimal()); valid {
			v := parsed.Number()
			if op.op == minOp {
				op.bounds.min = &v
			} else {
				op.bounds.max = &v
			}
			return op, true
		}
		p.wrongOperand(e, "a number", row.example)
		if e.Value.Kind == document.String {
			p.list[len(p.list)-1].Hint = expr.textBound(e)
		}
	case bounds:
		r, valid := p.rangeObject(e, row.example)
		op.bounds = r
		return op, valid
	case itemwise:
		if expr.valueKind() == facts.String && e.Value.Kind != document.Mapping {
			p.add(orKey(e), diag.StrategyInvalidWhen, "write "+ofTexts(op.op), "`%s` is for arrays, and `%s` is a text", op.op, expr.path)
			return op, false
		}
		item, valid := p.itemCondition(e, at, row.example)
		op.item = item
		return op, valid
	case negated:
		inner, valid := p.negation(expr, e, at)
		op.item = inner
		return op, valid
	}
	return op, false
}

// valueKind is the kind of the values that a field's operators are put to, as far as a
// schema knows it.
func (e *Expr) valueKind() facts.Kind {
	switch {
	case e.known == nil:
		return facts.Absent
	case e.relative:
		return e.known.Item
	}
	return e.known.Kind
}

// textBound is what to write where a text was to be at least, or at most, something.
func (e *Expr) textBound(bound document.Entry) string {
	text := bound.Value.Text
	if _, isNumber := facts.ParseNumber(text); isNumber && e.valueKind() != facts.String {
		return "leave out the quotes"
	}
	if len(text) >= len("2026-01") && text[4] == '-' && strings.Trim(text[:7], "0123456789-") == "" {
		return "a date is a text, and texts have no order here; write `startsWith: \"" + text[:7] + "\"`, or a `regex`"
	}
	return "texts have no order here; write `length: { " + bound.Key.Text + ": 1 }` for the number of characters"
}

// negation reads the operators of which not all may hold.
func (p *parser) negation(expr *Expr, e document.Entry, at *facts.Path) (*Expr, bool) {
	if e.Value.Kind != document.Mapping {
		hint := "write operators, like `not: { contains: TODO }`"
		switch {
		case e.Value.Kind == document.Sequence:
			hint = "write `not: { in: [ … ] }`"
		case e.Value.Kind != document.Null:
			hint = "write `not: { equals: " + shorten(scalarText(e.Value)) + " }`"
		}
		p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`not` takes an operator object, not %s", e.Value.Kind)
		return nil, false
	}
	inner := &Expr{kind: exprField, node: e.Key, path: expr.path, known: expr.known, relative: expr.relative}
	p.operatorEntries(inner, e.Value, at, nil)
	if len(inner.operators) == 0 && !p.hasProblemIn(e.Value) {
		p.add(orKey(e), diag.StrategyInvalidWhen, "add an operator, such as `equals: …`", "`not` has no operator")
	}
	return inner, len(inner.operators) > 0
}

// foreign are operators that authors bring from other languages.
var foreign = map[string]string{
	"eq": "equals", "is": "equals", "==": "equals", "like": "glob", "matches": "regex", "match": "regex", "pattern": "regex",
	"prefix": "startsWith", "suffix": "endsWith", "includes": "contains", "gte": "min", "gt": "min", "lte": "max", "lt": "max",
	"minimum": "min", "maximum": "max", "len": "length", "size": "count", "oneOf": "in", "anyOf": "in", "ignoreCase": "caseSensitive",
}

// foreignNegations are operators of other languages that are here the negation of
// one.
var foreignNegations = map[string]string{
	"ne": "equals", "neq": "equals", "!=": "equals", "isNot": "equals", "notEquals": "equals", "notIn": "in", "nin": "in", "notContains": "contains",
	"doesNotContain": "contains", "notStartsWith": "startsWith", "notEndsWith": "endsWith", "notRegex": "regex", "notGlob": "glob", "notMatches": "regex",
}

// presence are words that ask whether there is a value, which no operator does: what
// is not there is unknown.
var presence = map[string]string{
	"exists": hasText, "present": hasText, "notEmpty": hasText, "defined": hasText,
	"missing": isEmpty, "empty": isEmpty, "isEmpty": isEmpty, "absent": isEmpty, "notExists": isEmpty,
}

const (
	hasText = "write `length: { min: 1 }` for a text and `count: { min: 1 }` for an array; what is not there is unknown"
	isEmpty = "write `length: { max: 0 }` for a text and `count: { equals: 0 }` for an array; what is not there is unknown, and cannot be asked for"
)

func (p *parser) unknownOperator(key *document.Node) {
	hint := "the operators are " + strings.Join(OperatorNames(), ", ")
	if near := foreign[key.Text]; near != "" {
		hint = meant(near)
	} else if near := foreignNegations[key.Text]; near != "" {
		hint = "write `not: { " + near + ": … }`"
	} else if told := presence[key.Text]; told != "" {
		hint = told
	} else if near := diag.Nearest(key.Text, OperatorNames()); near != "" {
		hint = meant(near)
	}
	p.add(key, diag.StrategyUnknownOperator, hint, "there is no operator `%s`", key.Text)
}

func (p *parser) wrongOperand(e document.Entry, want, example string) {
	hint := "write it like `" + example + "`"
	if e.Value.Kind == document.Sequence {
		switch e.Key.Text {
		case "equals":
			hint = "write `in:` with the list, which holds if it equals one of them"
		case "contains":
			hint = "write `containsAny:` or `containsAll:` with the list"
		case "startsWith", "endsWith":
			hint = "write `any:` with one condition for each, or a `regex` with alternatives"
		}
	}
	if !isComparable(e.Value) {
		if e.Key.Text == "min" || e.Key.Text == "max" {
			hint += ", or leave `" + e.Key.Text + "` out: then there is no limit"
		}
		p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` takes a finite number, not `%s`", e.Key.Text, shorten(e.Value.Text))
		return
	}
	p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` takes %s, not %s", e.Key.Text, want, e.Value.Kind)
}

// isComparable is false for numbers that nothing can be compared with: .inf, .nan,
// 1e999.
func isComparable(n *document.Node) bool {
	_, finite := facts.ParseNumber(n.Decimal())
	return finite || n.Kind != document.Int && n.Kind != document.Float
}

func scalarValue(n *document.Node) (facts.Value, bool) {
	switch n.Kind {
	case document.String:
		return facts.Text(n.Text), true
	case document.Bool:
		b, _ := n.Bool()
		return facts.Flag(b), true
	case document.Int, document.Float:
		return facts.ParseNumber(n.Decimal())
	}
	return facts.Value{}, false
}

func (p *parser) scalarList(op operator, e document.Entry, example string) (operator, bool) {
	if e.Value.Kind != document.Sequence {
		hint := "write it like `" + example + "`"
		if e.Value.IsScalar() && e.Value.Kind != document.Null {
			hint = "write `" + e.Key.Text + ": [" + shorten(scalarText(e.Value)) + "]`"
		}
		p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` takes a list, not %s", e.Key.Text, e.Value.Kind)
		return op, false
	}
	valid := true
	op.values = make([]facts.Value, 0, len(e.Value.Items))
	for _, item := range e.Value.Items {
		v, ok := scalarValue(item)
		if !ok {
			what := item.Kind.String()
			if !isComparable(item) {
				what = "`" + shorten(item.Text) + "`"
			}
			p.add(item, diag.StrategyInvalidWhen, "write strings, numbers or booleans", "an item of `%s` cannot be %s", e.Key.Text, what)
			valid = false
			continue
		}
		op.values = append(op.values, v)
	}
	return op, valid
}

var rangeKeys = []string{"min", "max", "equals"}

func (p *parser) rangeObject(e document.Entry, example string) (numberRange, bool) {
	var r numberRange
	if e.Value.Kind != document.Mapping {
		hint := "write it like `" + example + "`"
		if e.Value.Kind == document.Int || e.Value.Kind == document.Float {
			hint = "write `" + e.Key.Text + ": { equals: " + e.Value.Text + " }`, or `min:` and `max:`"
		}
		p.add(orKey(e), diag.StrategyInvalidWhen, hint, "`%s` takes an object with min, max or equals, not %s", e.Key.Text, e.Value.Kind)
		return r, false
	}
	if len(e.Value.Entries) == 0 {
		p.add(orKey(e), diag.StrategyInvalidWhen, "write it like `"+example+"`", "`%s` has no range", e.Key.Text)
		return r, false
	}
	valid := true
	for _, side := range p.together(e.Value, wholeKey) {
		if !slices.Contains(rangeKeys, side.Key.Text) {
			p.add(side.Key, diag.StrategyUnknownOperator, didYouMean(side.Key.Text, rangeKeys, "a range has min, max and equals"),
				"`%s` has no `%s`", e.Key.Text, side.Key.Text)
			valid = false
			continue
		}
		v, ok := facts.ParseNumber(side.Value.Decimal())
		if !ok {
			p.wrongOperand(side, "a number", side.Key.Text+": 1")
			valid = false
			continue
		}
		r.set(side.Key.Text, v.Towards()) // what is compared with it is whole
	}
	return r, valid
}

func (r *numberRange) set(side string, v float64) {
	switch side {
	case "min":
		r.min = &v
	case "max":
		r.max = &v
	case "equals":
		r.equals = &v
	}
}

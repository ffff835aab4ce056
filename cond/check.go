package cond

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/visual"
)

// Check finds operators and operands that can never hold for the kind of values
// that the schema says a path has, or that always do. It is for authors: a
// condition with such a part is valid, and what the context holds decides.
func Check(e *Expr) diag.List {
	c := &checks{}
	c.expr(e, nil)
	return c.list
}

type checks struct {
	list     diag.List
	compared int // bytes of operands, as maxCompared counts them
}

func (c *checks) never(node *document.Node, path, hint, format string, args ...any) {
	d := diag.At(node.Source(), node.Span(), diag.ConditionNever, format, args...)
	d.Hint, d.Path = hint, path
	c.list.Add(d)
}

// values are what operators are put to: those of a path, or items of an array.
type values struct {
	path      string
	kind      facts.Kind
	item      facts.Kind  // kind of the items, of an array
	array     *facts.Path // of an array: where it stands
	of        []string    // a closed set
	extension bool        // an extension with its dot
	sensitive bool
}

// expr checks a condition; array is what a relative path begins at.
func (c *checks) expr(e *Expr, array *facts.Path) {
	if e == nil {
		return
	}
	for _, child := range e.children {
		c.expr(child, array)
	}
	switch {
	case e.kind == exprVisual:
		switch e.query.kind {
		case visualCount:
			c.visualCount(e)
		case visualMatch:
			c.visualMatch(e)
		}
	case e.kind != exprField:
	case e.relative && e.path == "" && array != nil:
		row := array.Row()
		c.operators(e.operators, values{path: "item", kind: array.Item, of: row.Of, extension: isExtension(row.Name), sensitive: e.caseSensitive}, nil)
	case e.known == nil:
	default:
		v := values{
			path: e.path, kind: e.known.Kind, item: e.known.Item, array: e.known, of: e.known.Of, extension: isExtension(e.known.Row().Name), sensitive: e.caseSensitive,
		}
		if e.relative {
			v.kind, v.item, v.array = e.known.Item, facts.Absent, nil
		}
		if pick := e.known.EmptyPick(); pick != "" {
			hint := "a range begins with its smaller end, and the other one is not in it: [1..3] is the second and third"
			if !strings.Contains(pick, "..") {
				hint = "the last one is [^1]"
			}
			c.never(e.node, e.path, hint, "`%s` is never anything: nothing is at `%s`", e.path, pick)
		}
		c.operators(e.operators, v, nil)
	}
}

func isExtension(path string) bool { return strings.HasSuffix(path, ".extension") }

// operators checks what must hold together; not is the `not` that it stands below, or nil.
func (c *checks) operators(list []operator, v values, not *operator) {
	told := len(c.list)
	for i := range list {
		op := &list[i]
		switch {
		case op.op == notOp:
			inner := v
			inner.sensitive = op.item.caseSensitive
			c.operators(op.item.operators, inner, op)
		case !applies(op.op, v):
			c.never(op.key, v.path, takes(op.op, v), "`%s` can never hold for %s", op.op, kindName(v))
		case op.item != nil:
			c.expr(op.item, v.array)
		default:
			c.operand(op, v)
		}
	}
	c.bounds(list, v.path)
	if len(c.list) == told { // else an operator can never hold by itself
		c.together(list, v, not)
	}
}

// applies tells whether an operator can hold for values of a kind.
func applies(op operatorKind, v values) bool {
	switch v.kind {
	case facts.String:
		return !slices.Contains([]operatorKind{minOp, maxOp, countOp, anyItemOp, allItemsOp, noItemOp}, op)
	case facts.Number:
		return slices.Contains([]operatorKind{equalsOp, inOp, minOp, maxOp}, op)
	case facts.Bool:
		return op == equalsOp || op == inOp
	case facts.Array:
		if op == containsOp || op == containsAnyOp || op == containsAllOp {
			return v.item != facts.Object || op != containsOp
		}
		return slices.Contains([]operatorKind{countOp, anyItemOp, allItemsOp, noItemOp}, op)
	case facts.Absent:
		return true // nothing is known
	}
	return false
}

// OperatorsFor are the operators that can hold for values of a kind, in their order;
// item is the kind of an array's items. With [facts.Absent] nothing is known, and all
// of them can.
func OperatorsFor(kind, item facts.Kind) []string {
	var names []string
	for op := equalsOp; op <= notOp; op++ {
		parts := op == containsAnyOp || op == containsAllOp // of objects there are none: Check says so of each operand
		if op == notOp || applies(op, values{kind: kind, item: item}) && (!parts || item != facts.Object) {
			names = append(names, op.String())
		}
	}
	if kind == facts.String || item == facts.String || kind == facts.Absent {
		names = append(names, caseSensitive)
	}
	return names
}

// kindName is what the values are, in words.
func kindName(v values) string {
	if v.item == facts.Object {
		return "an array of objects"
	}
	return v.kind.String()
}

// takes says what could have been meant instead.
func takes(op operatorKind, v values) string {
	switch {
	case v.kind == facts.Array && op == lengthOp:
		return "use `count`"
	case v.item == facts.Object:
		return "use `any:`, `all:` or `none:` with a field of the items"
	case v.kind == facts.Array && (op == equalsOp || op == inOp):
		return "use `contains`, or `any: { " + op.String() + ": … }`"
	case v.kind == facts.Array:
		return "use `any: { " + op.String() + ": … }`"
	case v.kind == facts.String && op == countOp:
		return "use `length`"
	case v.kind == facts.String && (op == minOp || op == maxOp):
		return "use `length: { " + op.String() + ": … }` for the number of characters"
	case v.kind == facts.String && slices.Contains(itemwiseOps, op):
		return "a text has no items; write its operators without `" + op.String() + ":`, or " + ofTexts(op)
	case v.kind == facts.Bool:
		return "write `equals: true` or `equals: false`"
	case v.kind == facts.Number:
		return "use `equals`, `in`, `min` or `max`"
	case v.kind == facts.Object:
		return "name a value below it"
	}
	return ""
}

// itemwiseOps are the operators on the items of arrays.
var itemwiseOps = []operatorKind{anyItemOp, allItemsOp, noItemOp}

// ofTexts is what authors mean by an operator on items where the value is a text.
func ofTexts(op operatorKind) string {
	switch op {
	case allItemsOp:
		return "`containsAll: [ … ]` for several parts of it"
	case noItemOp:
		return "`not: { containsAny: [ … ] }` for parts that it must not have"
	}
	return "`containsAny: [ … ]` for one of several parts of it, `in: [ … ]` for one of several texts"
}

// operand checks each literal of an operator for itself.
func (c *checks) operand(op *operator, v values) {
	literals := op.operand.Items
	switch op.op {
	case equalsOp, containsOp, startsWithOp, endsWithOp:
		literals = []*document.Node{op.operand}
	case inOp, containsAnyOp, containsAllOp:
		if len(literals) == 0 {
			how := "can never hold"
			if op.op == containsAllOp {
				how = "always holds"
			}
			c.never(op.operand, v.path, "name something, or remove the operator", "`%s` of an empty list %s", op.op, how)
		}
	default:
		return
	}
	kind, whole := v.kind, op.op == equalsOp || op.op == inOp
	if v.kind == facts.Array {
		kind, whole = v.item, true
	}
	for _, literal := range literals {
		value, _ := scalarValue(literal) // an operator with another operand is not in the tree
		c.literal(op.op, literal, value, kind, whole, v)
	}
}

// literal checks one operand. whole says that it must be all of a value.
func (c *checks) literal(op operatorKind, node *document.Node, value facts.Value, kind facts.Kind, whole bool, v values) {
	switch {
	case kind == facts.Object:
		c.never(node, v.path, "use `any:` with a field of the items", "`%s` can never hold for %s", op, kindName(v))
	case value.Kind() != kind && kind != facts.Absent:
		hint := ""
		if kind == facts.String {
			hint = "put it in quotes"
		} else if strings.EqualFold(value.Text(), "true") || strings.EqualFold(value.Text(), "false") { // what is no text has none
			hint = "leave out the quotes"
		}
		c.never(node, v.path, hint, "`%s` with %s can never hold: the value is %s", op, value.Kind(), kind)
	case value.Kind() != facts.String:
	case v.of != nil && !slices.ContainsFunc(v.of, func(one string) bool { return holds(op, one, value.Text(), whole, v.sensitive) }):
		hint := "it is one of " + strings.Join(v.of, ", ")
		if near := closedMeaning(value.Text(), v.of); near != "" {
			hint = "did you mean `" + near + "`?"
		}
		c.never(node, v.path, hint, "`%s` can never be `%s`", v.path, shorten(value.Text()))
	case v.extension && (whole || op == startsWithOp) && value.Text() != "" && value.Text()[0] != '.':
		c.never(node, v.path, "write `."+shorten(value.Text())+"`", "an extension begins with a dot, so it can never be `%s`", shorten(value.Text()))
	}
}

// holds tells whether a text of a closed set meets an operator.
func holds(op operatorKind, one, text string, whole, sensitive bool) bool {
	if !sensitive {
		one, text = glob.Fold(one), glob.Fold(text)
	}
	switch {
	case whole:
		return one == text
	case op == startsWithOp:
		return strings.HasPrefix(one, text)
	case op == endsWithOp:
		return strings.HasSuffix(one, text)
	}
	return strings.Contains(one, text)
}

// closedMeaning is the text of a closed set that was probably meant.
func closedMeaning(text string, of []string) string {
	other := map[string]string{
		"darwin": "macos", "osx": "macos", "os x": "macos", "mac": "macos", "mac os": "macos", "win": "windows", "win32": "windows", "win64": "windows", "ubuntu": "linux",
		"dir": "folder", "directory": "folder", "regular": "file",
	}[strings.ToLower(text)]
	if slices.Contains(of, other) {
		return other
	}
	for _, one := range of {
		if diag.IsNear(text, one) {
			return one
		}
	}
	return ""
}

// bounds checks ranges that nothing is in.
func (c *checks) bounds(list []operator, path string) {
	var low, high *operator
	for i := range list {
		switch op := &list[i]; op.op {
		case minOp:
			low = op
		case maxOp:
			high = op
		case lengthOp, countOp:
			c.emptyRange(op.operand, op.op.String(), op.bounds, path)
		}
	}
	if low != nil && high != nil && *low.bounds.min > *high.bounds.max {
		c.never(high.operand, path, "exchange the two", "no number is at least %s and at most %s", low.operand.Text, high.operand.Text)
	}
}

// visualMatch checks operators against the kind of the attribute that the query reads.
func (c *checks) visualMatch(e *Expr) {
	query, bad := visual.Parse(e.query.text, visual.Options{})
	if bad != nil {
		return // a mistake that was told
	}
	if attribute, ok := query.SelectsAttribute(); ok {
		c.operators(e.operators, values{path: "@" + attribute.String(), kind: attribute.Kind(), sensitive: e.caseSensitive}, nil)
	}
}

// visualCount checks the range of visual.count.
func (c *checks) visualCount(e *Expr) {
	var r numberRange
	for _, op := range e.operators {
		switch {
		case op.op == minOp:
			r.min = op.bounds.min
		case op.op == maxOp:
			r.max = op.bounds.max
		case op.op == equalsOp && op.values[0].Kind() == facts.Number:
			n := op.values[0].Number()
			r.equals = &n
		}
	}
	c.emptyRange(e.node, "visual.count", r, "")
}

// emptyRange checks that some number of things is in a range.
func (c *checks) emptyRange(node *document.Node, what string, r numberRange, path string) {
	var why string
	switch {
	case r.min != nil && r.max != nil && *r.min > *r.max:
		why = "`min` is more than `max`"
	case r.equals != nil && (r.min != nil && *r.equals < *r.min || r.max != nil && *r.equals > *r.max):
		why = "`equals` is outside of `min` and `max`"
	case r.max != nil && *r.max < 0, r.equals != nil && *r.equals < 0:
		why = "no number of things is less than 0"
	case r.equals != nil && *r.equals != float64(int64(*r.equals)):
		why = "a number of things is whole"
	default:
		return
	}
	c.never(node, path, "write a range that something can be in", "`%s` can never hold: %s", what, why)
}

// Package cond is the condition language of strategies: what may stand under
// `when`.
//
// [Parse] turns the YAML into an [Expr] tree that knows its positions in the file
// and reports every mistake in structure, paths, operators and operands; [Check]
// finds what can never hold.
package cond

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// exprKind is what a node of the condition tree is; the names are those that
// `explain` shows.
type exprKind uint8

const (
	exprConst exprKind = iota // true or false
	exprAll                   // of its children, three-valued
	exprAny
	exprNone
	exprField  // operators on the value at a path
	exprVisual // visual.exists, visual.count, visual.match
	exprNot    // of its one child
)

// Expr is one condition. Exprs are immutable; several strategies may share one.
type Expr struct {
	kind exprKind
	node *document.Node // where it stands: the key for fields and composites, else the value

	value    bool    // Const
	children []*Expr // All, Any, None, Not

	path     string      // Field: as written; relative inside array operators, "" for the item itself
	known    *facts.Path // Field: its row in the schema, or the path made of rows; nil when no schema knows it
	relative bool        // Field: Path is relative to an array's item

	query *visualQuery // Visual

	operators     []operator // Field, Visual: all must hold
	caseSensitive bool       // for the string operators of this object

	ownCase bool // caseSensitive is written in this object itself
}

// visualKind is one of the three visual conditions.
type visualKind uint8

const (
	visualExists visualKind = iota
	visualCount
	visualMatch
)

// visualNames are the conditions' names, in the order of visualKind.
var visualNames = []string{"visual.exists", "visual.count", "visual.match"}

// String is the condition's name.
func (k visualKind) String() string { return visualNames[k] }

// visualQuery is the query of a visual condition.
type visualQuery struct {
	kind visualKind
	text string
	node *document.Node // the query's scalar, for positions inside it
}

// operatorKind is an operator.
type operatorKind uint8

const (
	equalsOp operatorKind = iota
	inOp
	containsOp
	startsWithOp
	endsWithOp
	regexOp
	globOp
	minOp
	maxOp
	lengthOp
	countOp
	anyItemOp
	allItemsOp
	noItemOp
	containsAnyOp
	containsAllOp
	notOp // `not`
)

// operator is one operator with its operand.
type operator struct {
	op      operatorKind
	key     *document.Node
	operand *document.Node

	values []facts.Value // Equals and Contains: one; In, ContainsAny, ContainsAll: any number
	text   string        // StartsWith, EndsWith, Regex, Glob
	bounds numberRange   // Length, Count; Min and Max use their own side
	item   *Expr         // AnyItem, AllItems, NoItem: what must hold for an item; Negation: what must not hold for the value
}

// numberRange is a numeric range; nil sides are open.
type numberRange struct{ min, max, equals *float64 }

// contains tells whether a number is in the range.
func (r numberRange) contains(n float64) bool {
	return (r.min == nil || n >= *r.min) && (r.max == nil || n <= *r.max) && (r.equals == nil || n == *r.equals)
}

// covers tells whether all numbers from least to most are in the range.
func (r numberRange) covers(least, most float64) bool {
	return r.contains(least) && r.contains(most)
}

// misses tells whether none of them is.
func (r numberRange) misses(least, most float64) bool {
	return r.min != nil && most < *r.min || r.max != nil && least > *r.max ||
		r.equals != nil && (most < *r.equals || least > *r.equals)
}

// String writes the range as its author would.
func (r numberRange) String() string {
	var parts []string
	for _, side := range []struct {
		name  string
		value *float64
	}{{"min", r.min}, {"max", r.max}, {"equals", r.equals}} {
		if side.value != nil {
			parts = append(parts, side.name+" "+facts.FormatNumber(*side.value))
		}
	}
	return strings.Join(parts, ", ")
}

// operand says what may follow an operator.
type operand uint8

const (
	scalar   operand = iota // string, number or boolean
	scalars                 // a list of them
	text                    // a string
	number                  // a number
	bounds                  // an object with min, max, equals
	itemwise                // a condition on each item
	negated                 // operators on the value itself
)

// operators is the one table of operators (docs/reference/operators.md, docs/reference/conditions.md), in
// the order of Op.
var operators = []struct {
	name    string
	op      operatorKind
	takes   operand
	example string
}{
	{"equals", equalsOp, scalar, "equals: value"},
	{"in", inOp, scalars, "in: [a, b]"},
	{"contains", containsOp, scalar, "contains: value"},
	{"startsWith", startsWithOp, text, "startsWith: \"https://\""},
	{"endsWith", endsWithOp, text, "endsWith: \".pdf\""},
	{"regex", regexOp, text, "regex: '\\bword\\b'"},
	{"glob", globOp, text, "glob: \"*.pdf\""},
	{"min", minOp, number, "min: 1"},
	{"max", maxOp, number, "max: 10"},
	{"length", lengthOp, bounds, "length: { min: 1 }"},
	{"count", countOp, bounds, "count: { min: 1 }"},
	{"any", anyItemOp, itemwise, "any: { extension: { equals: .pdf } }"},
	{"all", allItemsOp, itemwise, "all: { kind: { equals: file } }"},
	{"none", noItemOp, itemwise, "none: { extension: { equals: .exe } }"},
	{"containsAny", containsAnyOp, scalars, "containsAny: [a, b]"},
	{"containsAll", containsAllOp, scalars, "containsAll: [a, b]"},
	{"not", notOp, negated, "not: { equals: value }"},
}

// caseSensitive is no operator, but stands among them.
const caseSensitive = "caseSensitive"

// String is the operator's name.
func (o operatorKind) String() string { return operators[o].name }

// OperatorNames are the names that may stand in an operator object.
func OperatorNames() []string {
	names := make([]string, 0, len(operators)+1)
	for _, o := range operators {
		names = append(names, o.name)
	}
	return append(names, caseSensitive)
}

// Needs is what must be collected before the condition can be decided (docs/reference/paths.md),
// found by walking the tree. What must hold for items of an array stands in operators, which need nothing more.
func (e *Expr) Needs() facts.Needs {
	var needs facts.Needs
	e.needs(&needs)
	return needs
}

func (e *Expr) needs(needs *facts.Needs) {
	switch e.kind {
	case exprVisual:
		needs.Add(facts.Visual)
	case exprField:
		needs.AddPath(e.path)
	}
	for _, child := range e.children {
		child.needs(needs)
	}
}

// Reads tells whether the condition asks for one of some needs or paths, or for
// what is below them.
func (e *Expr) Reads(names ...string) bool {
	if e.kind == exprVisual && slices.Contains(names, facts.Visual) {
		return true
	}
	if e.kind == exprField {
		for _, name := range names {
			if rest, ok := strings.CutPrefix(e.path, name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return true
			}
		}
	}
	return slices.ContainsFunc(e.children, func(child *Expr) bool { return child.Reads(names...) })
}

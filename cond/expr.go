package cond

import (
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// Kind is what a node of the condition tree is; the names are those that
// `explain` shows.
type Kind uint8

const (
	Const Kind = iota // true or false
	All               // of its children, three-valued
	Any
	None
	Field  // operators on the value at a path
	Visual // visual.exists, visual.count, visual.match
)

// Expr is one condition. Exprs are immutable; several strategies may share one.
type Expr struct {
	Kind Kind
	Node *document.Node // where it stands: the key for fields and composites, else the value

	Value    bool    // Const
	Children []*Expr // All, Any, None

	Path     string      // Field: as written; relative inside array operators, "" for the item itself
	Known    *facts.Path // Field: its row in the schema; nil when no schema knows it
	Relative bool        // Field: Path is relative to an array's item

	Query *VisualQuery // Visual

	Operators     []Operator // Field, Visual: all must hold
	CaseSensitive bool       // for the string operators of this object
}

// VisualKind is one of the three visual conditions.
type VisualKind uint8

const (
	Exists VisualKind = iota
	CountOf
	Match
)

// visualNames are the conditions' names, in the order of VisualKind.
var visualNames = []string{"visual.exists", "visual.count", "visual.match"}

// String is the condition's name.
func (k VisualKind) String() string { return visualNames[k] }

// VisualQuery is the query of a visual condition.
type VisualQuery struct {
	Kind VisualKind
	Text string
	Node *document.Node // the query's scalar, for positions inside it
}

// Op is an operator.
type Op uint8

const (
	Equals Op = iota
	In
	Contains
	StartsWith
	EndsWith
	Regex
	Glob
	Min
	Max
	Length
	Count
	AnyItem
	AllItems
	NoItem
)

// Operator is one operator with its operand.
type Operator struct {
	Op      Op
	Key     *document.Node
	Operand *document.Node

	Values []facts.Value // Equals and Contains: one; In: any number
	Text   string        // StartsWith, EndsWith, Regex, Glob
	Range  Range         // Length, Count; Min and Max use their own side
	Item   *Expr         // AnyItem, AllItems, NoItem: what must hold for an item
}

// Range is a numeric range; nil sides are open.
type Range struct{ Min, Max, Equals *float64 }

// Contains tells whether a number is in the range.
func (r Range) Contains(n float64) bool {
	return (r.Min == nil || n >= *r.Min) && (r.Max == nil || n <= *r.Max) && (r.Equals == nil || n == *r.Equals)
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
)

// operators is the one table of operators (MS §12-14, CF §9-11).
var operators = []struct {
	name    string
	op      Op
	takes   operand
	example string
}{
	{"equals", Equals, scalar, "equals: value"},
	{"in", In, scalars, "in: [a, b]"},
	{"contains", Contains, scalar, "contains: value"},
	{"startsWith", StartsWith, text, "startsWith: \"https://\""},
	{"endsWith", EndsWith, text, "endsWith: \".pdf\""},
	{"regex", Regex, text, "regex: '\\bword\\b'"},
	{"glob", Glob, text, "glob: \"*.pdf\""},
	{"min", Min, number, "min: 1"},
	{"max", Max, number, "max: 10"},
	{"length", Length, bounds, "length: { min: 1 }"},
	{"count", Count, bounds, "count: { min: 1 }"},
	{"any", AnyItem, itemwise, "any: { extension: { equals: .pdf } }"},
	{"all", AllItems, itemwise, "all: { kind: { equals: file } }"},
	{"none", NoItem, itemwise, "none: { extension: { equals: .exe } }"},
}

// caseSensitive is no operator, but stands among them.
const caseSensitive = "caseSensitive"

// String is the operator's name.
func (o Op) String() string { return operators[o].name }

// OperatorNames are the names that may stand in an operator object.
func OperatorNames() []string {
	names := make([]string, 0, len(operators)+1)
	for _, o := range operators {
		names = append(names, o.name)
	}
	return append(names, caseSensitive)
}

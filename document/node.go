package document

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/pertain-dev/pertain/diag"
)

// Kind says what a node holds.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Int
	Float
	String // dates are strings too: no context value is a date
	Sequence
	Mapping
)

// String names the kind as an author would.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Int, Float:
		return "a number"
	case String:
		return "a string"
	case Sequence:
		return "a list"
	default:
		return "a map"
	}
}

// Node is one value of the tree. Nodes are immutable; an alias is the node it
// names, so a tree may share parts, but never contains itself.
type Node struct {
	Kind    Kind
	Text    string  // decoded text of a scalar
	Items   []*Node // of a sequence; of a derived scalar what it was made of
	Entries []Entry // of a mapping, in file order, keys distinct

	style style
	start int // byte offset in the source
	doc   *yamlText
}

// Entry is one key of a mapping with its value. Keys are scalars; `1: x` has
// the key text "1".
type Entry struct {
	Key   *Node
	Value *Node
}

// yamlText is what the nodes of one parse share.
type yamlText struct {
	source *diag.Source
	text   string    // what was parsed: the source's own text, or its repaired form
	base   int       // where text begins in the source
	edits  []Edit    // how text differs from the source, in order
	edited []int     // where the new text of each edit begins in text
	lost   []Problem // values whose beginning YAML dropped; see lostValues

	marked atomic.Pointer[marked] // of the node that was asked last: who asks for one part of a long text asks for many
}

type style uint8

const (
	plain style = iota
	singleQuoted
	doubleQuoted
	literal
	folded
	flow
	block
	portion // a piece of the scalar in Items[0]; start counts the bytes of its text
	renamed // the scalar in Items[0] under another text
	derived // a map that stands in no file
)

// Get returns the value of a key, or nil. A nil node has no keys.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Entries {
		if n.Entries[i].Key.Text == key {
			return n.Entries[i].Value
		}
	}
	return nil
}

// Bool returns the value of a boolean node.
func (n *Node) Bool() (value, ok bool) {
	if n == nil || n.Kind != Bool {
		return false, false
	}
	return strings.EqualFold(n.Text, "true"), true
}

// Int returns the value of an integer node that fits.
func (n *Node) Int() (int64, bool) {
	if n == nil || n.Kind != Int {
		return 0, false
	}
	v, err := strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 0, 64)
	if err != nil {
		return 0, false
	}
	return v, true
}

// Number returns the value of an integer or a finite float node.
func (n *Node) Number() (float64, bool) {
	v, err := strconv.ParseFloat(n.Decimal(), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	return v, true
}

// Decimal returns the text of a number node in decimal digits; "" for others.
func (n *Node) Decimal() string {
	if n == nil || n.Kind != Int && n.Kind != Float {
		return ""
	}
	if v, ok := n.Int(); ok {
		return strconv.FormatInt(v, 10)
	}
	text := strings.ReplaceAll(n.Text, "_", "")
	if digits, ok := largeInt(text); ok {
		return digits
	}
	return text
}

// IsScalar is true for everything but lists and maps.
func (n *Node) IsScalar() bool { return n.Kind < Sequence }

// Source is the file the node stands in; nil for a node that was not read.
func (n *Node) Source() *diag.Source {
	if n == nil || n.doc == nil {
		return nil
	}
	return n.doc.source
}

// Span is where the node stands in its source. It is found by reading that part
// of the text once more, so it is for diagnostics, not for hot paths. A node that was
// not read has none.
func (n *Node) Span() diag.Span {
	if n == nil || n.doc == nil {
		return diag.NoSpan
	}
	start, end := n.extent()
	return diag.Span{Start: n.doc.toSource(start), End: n.doc.toSource(end)}
}

// SpanOf is where a range of bytes of a scalar's decoded text stands in the
// source: through quotes, escapes, folding and the indentation of blocks.
func (n *Node) SpanOf(from, to int) diag.Span {
	if n == nil || n.doc == nil {
		return n.Span()
	}
	if of, base, _ := n.original(); of != nil {
		if n.style == renamed {
			return of.Span()
		}
		return of.SpanOf(base+from, base+min(to, len(n.Text)))
	}
	if !n.IsScalar() {
		return n.Span()
	}
	from = min(max(from, 0), len(n.Text))
	to = min(max(to, from), len(n.Text))
	marks, end := n.marks()
	start := n.doc.toSource(marks[from])
	stop := start
	if to > from {
		last := marks[to-1]
		stop = n.doc.toSource(min(max(marks[to], last+1), end))
		if to == len(n.Text) {
			stop = n.doc.toSource(marks[to])
		}
	}
	return diag.Span{Start: start, End: max(start, stop)}
}

// toSource converts an offset in the parsed text to one in the source.
func (d *yamlText) toSource(offset int) int {
	i, _ := slices.BinarySearch(d.edited, offset)
	if i--; i < 0 { // the last edit that begins before the offset
		return d.base + offset
	}
	e, inside := d.edits[i], offset-d.edited[i]
	if inside >= len(e.Text) {
		return e.Span.End + inside - len(e.Text)
	}
	if len(e.Text)-(e.Span.End-e.Span.Start) == 2 {
		inside-- // quotes went around the value as it was
	}
	return e.Span.Start + min(max(inside, 0), e.Span.End-e.Span.Start)
}

// IsOldFlag tells whether a text is one that older YAML read as true or false.
func IsOldFlag(n *Node) bool {
	if n == nil || n.Kind != String {
		return false
	}
	switch strings.ToLower(n.Text) {
	case "no", "off", "yes", "on":
		return true
	}
	return false
}

// FlagHint says what to write in the place of a value that is not true or false.
func FlagHint(n *Node) string {
	if !IsOldFlag(n) {
		return "write true or false without quotes"
	}
	word := "false"
	if text := strings.ToLower(n.Text); text == "yes" || text == "on" {
		word = "true"
	}
	return "`" + n.Text + "` is a text in today's YAML; write `" + word + "` without quotes"
}

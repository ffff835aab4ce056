package facts

import (
	"strconv"
	"strings"
)

// pick is what stands in brackets.
type pick struct {
	kind  pickKind
	index bound // pickIndex; of a range where it begins
	end   bound // of a range: the first item that is not in it
}

type pickKind uint8

const (
	pickNothing pickKind = iota // the step is a field
	pickEach                    // []
	pickIndex
	pickRange
)

// bound is a number of items from the start or from the end; open: left out.
type bound struct {
	n       int
	fromEnd bool
	open    bool
}

// readPick reads what stands between brackets; its form was checked.
func readPick(text string) pick {
	if text == "" {
		return pick{kind: pickEach}
	}
	if from, to, ok := strings.Cut(text, ".."); ok {
		return pick{kind: pickRange, index: readBound(from), end: readBound(to)}
	}
	return pick{kind: pickIndex, index: readBound(text)}
}

// farAway stands for numbers that no array has so many items for.
const farAway = 1 << 40

func readBound(text string) bound {
	if text == "" {
		return bound{open: true}
	}
	digits := strings.TrimLeft(text, "-^")
	n, err := strconv.Atoi(digits)
	if err != nil || n > farAway {
		n = farAway
	}
	return bound{n: n, fromEnd: text[0] == '^' || text[0] == '-' && n > 0}
}

func (b bound) String() string {
	switch {
	case b.open:
		return ""
	case b.fromEnd:
		return "^" + strconv.Itoa(b.n)
	}
	return strconv.Itoa(b.n)
}

// String writes the brackets in one of several ways to say the same.
func (p pick) String() string {
	switch p.kind {
	case pickEach:
		return "[]"
	case pickRange:
		return "[" + p.index.String() + ".." + p.end.String() + "]"
	}
	return "[" + p.index.String() + "]"
}

// at is the offset that a bound means among so many items.
func (b bound) at(items int) int {
	if b.fromEnd {
		return items - b.n
	}
	return b.n
}

// of picks from an array. An index that is not there is absent, a range that is
// not there an empty array.
func (p pick) of(array Value) Value {
	if array.Kind() != Array {
		return Value{}
	}
	n := len(array.Items())
	switch p.kind {
	case pickIndex:
		if i := p.index.at(n); i >= 0 && i < n {
			return array.Items()[i]
		}
		return Value{}
	case pickRange:
		start, end := max(0, p.index.at(n)), n
		if p.index.open {
			start = 0
		}
		if !p.end.open {
			end = min(n, p.end.at(n))
		}
		if start >= end {
			return List()
		}
		return List(array.Items()[start:end:end]...)
	}
	return array
}

// isEmpty tells whether nothing is ever picked, however many items there are: a range that ends where it begins or before,
// or the item after the last one.
func (p pick) isEmpty() bool {
	from, to := p.index, p.end
	switch {
	case p.kind == pickIndex:
		return from.fromEnd && from.n == 0
	case p.kind != pickRange:
		return false
	case from.open:
		from = bound{}
	case to.open:
		to = bound{fromEnd: true}
	}
	switch {
	case from.open || to.open:
		return false
	case from.fromEnd && to.fromEnd:
		return from.n <= to.n
	case from.fromEnd:
		return from.n == 0 || to.n == 0
	case to.fromEnd:
		return false
	}
	return from.n >= to.n
}

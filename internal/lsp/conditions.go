package lsp

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// scope is what may stand in a map of a condition.
type scope struct {
	kind   scopeKind
	path   string      // the path so far, of paths and operators
	values facts.Kind  // of operators: what they are put to
	item   facts.Kind  // of the items, where that is an array
	of     []string    // of a closed set
	array  *facts.Path // of items
	op     string      // of an operand
}

type scopeKind uint8

const (
	unknownScope  scopeKind = iota
	inCondition             // all, any, none, not, visual queries, paths
	inPath                  // the rest of a path
	inOperators             // operators below a path
	inItem                  // fields of an array's items, or operators on them
	inRange                 // min, max, equals
	inVisual                // a visual query and operators
	inVisualKinds           // exists, count, match
	inOperand               // the value of an operator
)

// conditionAt goes down the keys of a condition.
func conditionAt(keys []string) scope {
	s := scope{kind: inCondition}
	for _, key := range keys {
		s = s.step(key)
	}
	return s
}

func (s scope) step(key string) scope {
	switch s.kind {
	case inCondition:
		switch {
		case slices.Contains(composites, key):
			return s
		case key == facts.Visual:
			return scope{kind: inVisualKinds}
		case slices.Contains(visualKeys, key):
			return scope{kind: inVisual, path: key}
		}
		return pathScope("", key)
	case inPath:
		return pathScope(s.path, key)
	case inVisualKinds:
		if slices.Contains(visualKeys, facts.Visual+"."+key) {
			return scope{kind: inVisual, path: facts.Visual + "." + key}
		}
	case inVisual:
		if key == "query" {
			return scope{kind: inOperand, op: key}
		}
		return scope{kind: inOperators}.operator(key)
	case inOperators:
		return s.operator(key)
	case inItem:
		return s.field(key)
	case inRange:
		return scope{kind: inOperand, op: key, values: facts.Number}
	}
	return scope{}
}

// composites are the keys that combine conditions.
var composites = []string{"all", "any", "none", "not"}

// visualKeys are the conditions on visible elements.
var visualKeys = []string{"visual.exists", "visual.count", "visual.match"}

// pathScope is below a key that begins with a path: the longest known one is taken,
// and what is left are array words and operators.
func pathScope(before, key string) scope {
	name := key
	if before != "" {
		name = before + "." + key
	}
	known, rest := longestPath(name)
	if known == nil {
		return scope{}
	}
	s := scope{kind: inOperators, path: known.Name, values: known.Kind, item: known.Item, of: known.Row().Of, array: known}
	if known.Kind == facts.Object {
		s = scope{kind: inPath, path: known.Name}
	}
	for _, part := range rest {
		if s.kind == inPath { // no path goes on like this: it would have been found as a longer one
			if !slices.Contains(cond.OperatorsFor(known.Kind, known.Item), part) {
				return scope{}
			}
			s.kind, s.values = inOperators, known.Kind
		}
		s = s.step(part)
	}
	return s
}

// longestPath is the longest path of the schema that a name begins with, and what is
// left of it.
func longestPath(name string) (known *facts.Path, rest []string) {
	for at := name; ; {
		if p, ok := facts.Find(at); ok {
			return p, rest
		}
		i := strings.LastIndexByte(at, '.')
		if i < 0 {
			return nil, nil
		}
		rest = append([]string{at[i+1:]}, rest...)
		at = at[:i]
	}
}

// operator is below an operator, or several joined by dots.
func (s scope) operator(key string) scope {
	first, rest, more := strings.Cut(key, ".")
	next := scope{kind: inOperand, path: s.path, values: s.values, item: s.item, of: s.of, op: first}
	switch first {
	case "any", "all", "none":
		next = scope{kind: inItem, path: s.path, array: s.array}
	case "not":
		next = s
	case "length", "count":
		next = scope{kind: inRange, path: s.path}
	}
	if more {
		return next.step(rest)
	}
	return next
}

// field is below a field of an array's items, or an operator on them.
func (s scope) field(key string) scope {
	if slices.Contains(composites, key) {
		return s
	}
	if s.array == nil {
		return scope{}
	}
	for at, rest := key, ""; at != ""; {
		if p, ok := s.array.ItemField(at); ok {
			next := scope{kind: inOperators, path: p.Name, values: p.Item, of: p.Of}
			if rest != "" {
				return next.operator(rest)
			}
			return next
		}
		i := strings.LastIndexByte(at, '.')
		if i < 0 {
			break
		}
		rest = strings.TrimSuffix(at[i+1:]+"."+rest, ".")
		at = at[:i]
	}
	return scope{kind: inOperators, path: s.path, values: s.array.Item, of: s.array.Row().Of}.operator(key)
}

// operators are what can be asked of the values of a scope.
func (s scope) operators() []string { return cond.OperatorsFor(s.values, s.item) }

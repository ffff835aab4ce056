package match

import (
	"fmt"
	"strconv"
	"strings"
)

// field is a value of the context: its path in conditions, and the name of the
// variable in which peers get it, already folded.
type field struct {
	path string // docs/reference/paths.md; items of an array as base[].leaf; a visual query for the processes
	name string
}

// operator is what a predicate does with a value.
type operator uint8

const (
	equals operator = iota
	isTrue
	in
	contains // a part of a text
	holds    // an element of a list
	holdsAny // one of several elements of a list
	startsWith
	endsWith
	matches
	length // of a text, at least
	count  // of a list, at least
	anyMin // some number of a list is at least
)

// predicate is one comparison, as data: each engine writes it in its own
// language. Operands are folded.
type predicate struct {
	field  field
	op     operator
	texts  []string
	number int
}

// condition is a conjunction of predicates.
type condition []predicate

// yaml writes the condition as the value of `when`.
func (c condition) yaml() string {
	parts := make([]string, len(c))
	for i, p := range c {
		parts[i] = p.yaml()
	}
	return "{all: [" + strings.Join(parts, ", ") + "]}"
}

func (p predicate) yaml() string {
	base, leaf, items := strings.Cut(p.field.path, "[].")
	switch {
	case strings.HasPrefix(base, "//"):
		return fmt.Sprintf("{visual.match: {query: %q, %s}}", base, p.operatorYAML())
	case items:
		return fmt.Sprintf("{%s: {any: {%s: {%s}}}}", base, leaf, p.operatorYAML())
	}
	return fmt.Sprintf("{%s: {%s}}", base, p.operatorYAML())
}

func (p predicate) operatorYAML() string {
	switch p.op {
	case isTrue:
		return "equals: true"
	case in, holdsAny:
		return "in: " + list(p.texts, "[", "]")
	case contains:
		return "contains: " + quote(p.texts[0])
	case holds:
		if !strings.Contains(p.field.path, "[]") && !strings.HasPrefix(p.field.path, "//") {
			return "contains: " + quote(p.texts[0])
		}
	case startsWith:
		return "startsWith: " + quote(p.texts[0])
	case endsWith:
		return "endsWith: " + quote(p.texts[0])
	case matches:
		return "regex: '" + p.texts[0] + "'"
	case length:
		return "length: {min: " + strconv.Itoa(p.number) + "}"
	case count:
		return "count: {min: " + strconv.Itoa(p.number) + "}"
	case anyMin:
		return "min: " + strconv.Itoa(p.number)
	}
	return "equals: " + quote(p.texts[0])
}

func quote(s string) string { return strconv.Quote(s) }

func list(texts []string, open, end string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return open + strings.Join(quoted, ", ") + end
}

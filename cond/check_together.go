package cond

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// together checks operators that hold each for some value, and never for the same
// one, as `equals: a` beside `startsWith: b`. What does not fit the kind of the values by itself was
// told before: all operators and operands are of that kind. not is the operator that they stand below, or nil:
// authors write two operators there and mean that neither may hold.
func (c *checks) together(list []operator, v values, not *operator) {
	first, second := c.contradiction(list, v)
	switch {
	case second == nil:
	case not != nil:
		c.never(not.key, v.path, "it is against all of its operators together; for neither of them write `none:` with a condition for each",
			"`not` always holds: nothing meets both `%s` and `%s`", first.op, second.op)
	default:
		c.never(second.key, v.path, "where one of the two is enough, write a condition for each under `any:`",
			"nothing meets both `%s` and `%s`, so this can never hold", first.op, second.op)
	}
}

// maxCompared is how many bytes of operands are compared with each other in the conditions of one strategy. Beyond it nothing is told:
// each operand of one operator is compared with each of the other.
const maxCompared = 256 << 10

// contradiction is the first two operators that no value meets, or nil.
func (c *checks) contradiction(list []operator, v values) (first, second *operator) {
	for i := range list {
		for j := range list {
			if i == j || !c.mayCompare(&list[i], &list[j]) {
				continue
			}
			if contradicts(&list[i], &list[j], v) {
				return &list[min(i, j)], &list[max(i, j)]
			}
		}
	}
	return nil, nil
}

// mayCompare takes what comparing two operators costs from what is left.
func (c *checks) mayCompare(one, other *operator) bool {
	count, bytes := operandsOf(one)
	others, more := operandsOf(other)
	cost := count*more + others*bytes
	if c.compared+cost > maxCompared {
		return false
	}
	c.compared += cost
	return true
}

// operandsOf is how many operands an operator has, with those below it, and how many bytes are in them.
func operandsOf(op *operator) (count, bytes int) {
	count, bytes = 1, len(op.text)
	for _, value := range op.values {
		count++
		bytes += len(value.Text())
	}
	if op.item != nil {
		for i := range op.item.operators {
			n, b := operandsOf(&op.item.operators[i])
			count, bytes = count+n, bytes+b
		}
	}
	return count, bytes
}

// contradicts tells whether every value that one operator names fails the other, or every
// text that it holds for is too long for it.
func contradicts(one, other *operator, v values) bool {
	switch one.op {
	case equalsOp, inOp:
		// There are some, of the right kind: else that was told.
		return !slices.ContainsFunc(one.values, func(value facts.Value) bool { return meets(other, value, v.sensitive) != False })
	case startsWithOp, endsWithOp:
		return tooLong(one.text, other)
	case containsOp, containsAllOp:
		return slices.ContainsFunc(one.values, func(part facts.Value) bool { return tooLong(part.Text(), other) })
	}
	return false
}

// tooLong tells whether a part of a text has more characters than an operator allows
// for the whole.
func tooLong(part string, other *operator) bool {
	if other.op != lengthOp {
		return false
	}
	length := float64(utf8.RuneCountInString(part))
	return other.bounds.max != nil && length > *other.bounds.max || other.bounds.equals != nil && length > *other.bounds.equals
}

// meets tells whether a value meets an operator that is for values of its kind, with operands
// of that kind; Null for patterns.
func meets(op *operator, value facts.Value, sensitive bool) Tri {
	switch op.op {
	case notOp:
		result := True
		for i := range op.item.operators {
			result = result.and(meets(&op.item.operators[i], value, op.item.caseSensitive))
		}
		return result.Not()
	case equalsOp, inOp:
		return triOf(slices.ContainsFunc(op.values, func(one facts.Value) bool { return alike(one, value, sensitive) }))
	case minOp, maxOp:
		return triOf(op.bounds.contains(value.Number()))
	}
	text := value.Text()
	has := func(part facts.Value) bool {
		return strings.Contains(asCompared(text, sensitive), asCompared(part.Text(), sensitive))
	}
	switch op.op {
	case lengthOp:
		return triOf(op.bounds.contains(float64(utf8.RuneCountInString(text))))
	case startsWithOp:
		return triOf(strings.HasPrefix(asCompared(text, sensitive), asCompared(op.text, sensitive)))
	case endsWithOp:
		return triOf(strings.HasSuffix(asCompared(text, sensitive), asCompared(op.text, sensitive)))
	case containsOp, containsAnyOp:
		return triOf(slices.ContainsFunc(op.values, has))
	case containsAllOp:
		return triOf(!slices.ContainsFunc(op.values, func(part facts.Value) bool { return !has(part) }))
	}
	return Null
}

// alike tells whether two values of one kind are equal as `equals` has it. Numbers that differ
// only past what a float64 holds count as equal: nothing is told of them.
func alike(a, b facts.Value, sensitive bool) bool {
	if a.Kind() == facts.String {
		return asCompared(a.Text(), sensitive) == asCompared(b.Text(), sensitive)
	}
	return a.Number() == b.Number()
}

func asCompared(text string, sensitive bool) string {
	if sensitive {
		return text
	}
	return glob.Fold(text)
}

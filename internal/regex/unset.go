package regex

import "math"

// dropUnset makes the empty expression of every back-reference whose group cannot
// have matched by then: it stands before the group, inside it, in another branch,
// or outside the negative look-around that the group is in. In ECMAScript such a
// reference matches nothing, and a round of a loop forgets the groups inside, so
// what came before in the text of the expression is all that counts. What is left
// has to be confirmed by backtracking; the others need not.
func dropUnset(root *node, groups int) {
	setBehind(root, make([]bool, groups), false)
}

// setBehind gives the groups that may be set behind n, if those in set may be before.
// It changes set.
func setBehind(n *node, set []bool, back bool) []bool {
	switch n.kind {
	case kindConcat:
		for i := range n.subs {
			at := i
			if back {
				at = len(n.subs) - 1 - i
			}
			set = setBehind(n.subs[at], set, back)
		}
	case kindAlternate:
		out := append([]bool(nil), set...)
		for _, sub := range n.subs {
			merge(out, setBehind(sub, append([]bool(nil), set...), back))
		}
		set = out
	case kindRepeat:
		inside := append([]bool(nil), set...)
		if low, high := captureRange(n.subs[0]); high > low {
			clear(inside[low:high])
		}
		merge(set, setBehind(n.subs[0], inside, back))
	case kindCapture:
		set = setBehind(n.subs[0], set, back)
		set[n.group] = true
	case kindLook:
		inside := setBehind(n.subs[0], append([]bool(nil), set...), n.behind)
		if !n.negate {
			set = inside
		}
	case kindBackref:
		if !set[n.group] {
			*n = node{kind: kindEmpty, offset: n.offset}
		}
	}
	return set
}

func merge(to, from []bool) {
	for i, is := range from {
		to[i] = to[i] || is
	}
}

// captureRange gives the groups inside n: from low up to, without, high.
func captureRange(n *node) (low, high int32) {
	low, high = math.MaxInt32, 0
	var walk func(*node)
	walk = func(n *node) {
		if n.kind == kindCapture {
			low, high = min(low, int32(n.group)), max(high, int32(n.group)+1)
		}
		for _, sub := range n.subs {
			walk(sub)
		}
	}
	walk(n)
	return low, high
}

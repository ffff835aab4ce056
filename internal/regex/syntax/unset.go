package syntax

import "math"

// dropUnset makes the empty expression of every back-reference whose group cannot
// have matched by then: it stands before the group, inside it, in another branch,
// or outside the negative look-around that the group is in. In ECMAScript such a
// reference matches nothing, and a round of a loop forgets the groups inside, so
// what came before in the text of the expression is all that counts. What is left
// has to be confirmed by backtracking; the others need not.
func dropUnset(root *Node, groups int) {
	setAfter(root, make([]bool, groups), false)
}

// setAfter gives the groups that may be set after n, if those in set may be before.
// It changes set.
func setAfter(n *Node, set []bool, back bool) []bool {
	switch n.Kind {
	case KindConcat:
		for i := range n.Subs {
			at := i
			if back {
				at = len(n.Subs) - 1 - i
			}
			set = setAfter(n.Subs[at], set, back)
		}
	case KindAlternate:
		out := append([]bool(nil), set...)
		for _, sub := range n.Subs {
			merge(out, setAfter(sub, append([]bool(nil), set...), back))
		}
		set = out
	case KindRepeat:
		inside := append([]bool(nil), set...)
		if low, high := CaptureRange(n.Subs[0]); high > low {
			clear(inside[low:high])
		}
		merge(set, setAfter(n.Subs[0], inside, back))
	case KindCapture:
		set = setAfter(n.Subs[0], set, back)
		set[n.Group] = true
	case KindLook:
		inside := setAfter(n.Subs[0], append([]bool(nil), set...), n.Behind)
		if !n.Negate {
			set = inside
		}
	case KindBackref:
		if !set[n.Group] {
			*n = Node{Kind: KindEmpty, offset: n.offset}
		}
	}
	return set
}

func merge(to, from []bool) {
	for i, is := range from {
		to[i] = to[i] || is
	}
}

// CaptureRange gives the groups inside n: from low up to, without, high.
func CaptureRange(n *Node) (low, high int32) {
	low, high = math.MaxInt32, 0
	var walk func(*Node)
	walk = func(n *Node) {
		if n.Kind == KindCapture {
			low, high = min(low, int32(n.Group)), max(high, int32(n.Group)+1)
		}
		for _, sub := range n.Subs {
			walk(sub)
		}
	}
	walk(n)
	return low, high
}

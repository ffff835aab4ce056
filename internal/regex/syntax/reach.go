package syntax

import "math"

// Reach gives how many characters before its end a match of the expression, and
// what it looks back at, can begin; ok is false if there is no bound.
func (t *Tree) Reach() (characters int, ok bool) {
	n := t.Root.longest() + t.Root.lookback()
	return n, n < boundless
}

// boundless is more than any length that is worth a thought.
const boundless = 1 << 20

// longest gives how many characters a node can take; at most boundless.
func (n *Node) longest() int {
	total := 0
	switch n.Kind {
	case KindChar, KindClass:
		return 1
	case KindConcat:
		for _, sub := range n.Subs {
			total += sub.longest()
		}
	case KindAlternate, KindIfGroup, KindIfMatch:
		for _, sub := range n.Subs {
			total = max(total, sub.longest())
		}
	case KindRepeat:
		rounds := n.Max
		if rounds == Unlimited {
			rounds = math.MaxInt32
		}
		if once := n.Subs[0].longest(); once > 0 {
			total = min(rounds, boundless) * once
		}
	case KindCapture, KindAtomic:
		total = n.Subs[0].longest()
	case KindBackref:
		return boundless
	}
	return min(total, boundless)
}

// lookback gives how far back the look-behinds of a node see, all together.
func (n *Node) lookback() int {
	total := 0
	if n.Kind == KindLook && n.Behind {
		total = n.Subs[0].longest()
	}
	for _, sub := range n.Subs {
		total += sub.lookback()
	}
	return min(total, boundless)
}

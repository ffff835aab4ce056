package regex

import "math"

// reach gives how many characters before its end a match of the expression, and
// what it looks back at, can begin; ok is false if there is no bound.
func (t *tree) reach() (characters int, ok bool) {
	n := t.root.longest() + t.root.lookback()
	return n, n < boundless
}

// boundless is more than any length that is worth a thought.
const boundless = 1 << 20

// longest gives how many characters a node can take; at most boundless.
func (n *node) longest() int {
	total := 0
	switch n.kind {
	case kindChar, kindClass:
		return 1
	case kindConcat:
		for _, sub := range n.subs {
			total += sub.longest()
		}
	case kindAlternate, kindIfGroup, kindIfMatch:
		for _, sub := range n.subs {
			total = max(total, sub.longest())
		}
	case kindRepeat:
		rounds := n.max
		if rounds == unlimited {
			rounds = math.MaxInt32
		}
		if once := n.subs[0].longest(); once > 0 {
			total = min(rounds, boundless) * once
		}
	case kindCapture, kindAtomic:
		total = n.subs[0].longest()
	case kindBackref:
		return boundless
	}
	return min(total, boundless)
}

// lookback gives how far back the look-behinds of a node see, all together.
func (n *node) lookback() int {
	total := 0
	if n.kind == kindLook && n.behind {
		total = n.subs[0].longest()
	}
	for _, sub := range n.subs {
		total += sub.lookback()
	}
	return min(total, boundless)
}

package syntax

// MaxSize is the size beyond which an expression has neither a program nor an automaton.
const MaxSize = maxInsts

// Size gives how many instructions the expression has at least as a program, with its
// look-around and every repeat written out; MaxSize+1 if it has more than MaxSize.
func (t *Tree) Size() int { return min(1+t.Root.size(true), MaxSize+1) }

// TooLarge says of an expression that it has no program, with its look-around or without, before one is built: what
// repeats a few characters a million times is written in no time, and any number of times.
func (n *Node) TooLarge(looks bool) bool { return 1+n.size(looks) > MaxSize }

// size is at most MaxSize. Without looks, those are taken as if they always held.
func (n *Node) size(looks bool) int {
	subs := n.Subs
	switch {
	case n.Kind == KindIfMatch: // what it asks for is left out of programs
		subs = subs[1:]
	case n.Kind == KindLook && !looks:
		return 0
	}
	total := 0
	for _, sub := range subs {
		total = min(total+sub.size(looks), MaxSize)
	}
	switch n.Kind {
	case KindEmpty, KindConcat, KindCapture, KindAtomic:
	case KindAlternate, KindIfGroup, KindIfMatch:
		if n.Kind == KindAlternate && n.oneOf() {
			return 1
		}
		total += max(len(subs), 1) - 1
	case KindRepeat:
		least := min(n.Min, MaxSize)
		if n.Max == Unlimited {
			total = 1 + (least+1)*total
		} else {
			total = least*total + min(n.Max-n.Min, MaxSize)*(total+1)
		}
	default:
		total++
	}
	return min(total, MaxSize)
}

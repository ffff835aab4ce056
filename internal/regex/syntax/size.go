package syntax

// MaxSize is the size beyond which an expression has neither a program nor an automaton.
const MaxSize = maxInsts

// Size gives how many instructions the expression has at least as a program, with its
// look-around and every repeat written out; MaxSize+1 if it has more than MaxSize.
func (t *Tree) Size() int { return min(1+t.Root.size(), MaxSize+1) }

// size is at most MaxSize.
func (n *Node) size() int {
	total := 0
	for _, sub := range n.Subs {
		total = min(total+sub.size(), MaxSize)
	}
	switch n.Kind {
	case KindEmpty, KindConcat, KindCapture, KindAtomic:
	case KindAlternate, KindIfGroup:
		if n.Kind == KindAlternate && n.oneOf() {
			return 1
		}
		total += max(len(n.Subs), 1) - 1
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

package regex

// MaxSize is the size beyond which an expression has neither a program nor an outlook.
const MaxSize = maxInsts

// size gives how many instructions the expression has at least as a program, with its
// look-around and every repeat written out; MaxSize+1 if it has more than MaxSize.
func (t *tree) size() int { return min(1+t.root.size(), MaxSize+1) }

// size is at most MaxSize.
func (n *node) size() int {
	total := 0
	for _, sub := range n.subs {
		total = min(total+sub.size(), MaxSize)
	}
	switch n.kind {
	case kindEmpty, kindConcat, kindCapture, kindAtomic:
	case kindAlternate, kindIfGroup:
		total += max(len(n.subs), 1) - 1
	case kindRepeat:
		least := min(n.min, MaxSize)
		if n.max == unlimited {
			total = 1 + (least+1)*total
		} else {
			total = least*total + min(n.max-n.min, MaxSize)*(total+1)
		}
	default:
		total++
	}
	return min(total, MaxSize)
}

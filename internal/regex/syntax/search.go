package syntax

// Search gives the program of a scanner that wants to know whether the expression
// matches, and where its earliest-ending match ends. Repeats at either end of the
// expression are cut down to what they must take, which changes neither answer and
// leaves the scanner fewer states.
//
// exact is false if the expression has look-around or back-references: the program
// then matches wherever the expression does, and perhaps elsewhere. It asks for
// nothing after the end of a match. It is nil if it would be larger than MaxSize.
func (t *Tree) Search() (program *Program, exact bool) {
	root, linear := t.Root, t.Root.Linear()
	if linear {
		root = trimTail(trimHead(root))
	}
	program = NewProgram(root)
	if program != nil && !linear {
		program.loosen()
	}
	return program, linear
}

// loosen takes the assertions at the end of a match for true.
func (p *Program) loosen() {
	for changed := true; changed; {
		changed = false
		for i := range p.Insts {
			if inst := &p.Insts[i]; inst.Op == OpAssert && p.matchesAt(inst.Out) {
				*inst = Inst{Op: OpSplit, Out: inst.Out, Alt: inst.Out}
				changed = true
			}
		}
	}
}

var emptyNode = &Node{Kind: KindEmpty}

// trimHead cuts down what n starts with. A search tries every offset, so whatever
// a leading repeat takes beyond its least can as well be left before the match.
func trimHead(n *Node) *Node {
	switch n.Kind {
	case KindRepeat:
		return trimRepeat(n, trimHead)
	case KindCapture:
		return trimHead(n.Subs[0])
	case KindAlternate:
		return trimBranches(n, trimHead)
	case KindConcat:
		subs := n.Subs
		for len(subs) > 0 {
			head := trimHead(subs[0])
			if head.Kind != KindEmpty {
				return joined(head, subs[1:], false)
			}
			subs = subs[1:]
		}
		return emptyNode
	default:
		return n
	}
}

// trimTail cuts down what n ends with: a match that takes more ends later.
func trimTail(n *Node) *Node {
	switch n.Kind {
	case KindRepeat:
		return trimRepeat(n, trimTail)
	case KindCapture:
		return trimTail(n.Subs[0])
	case KindAlternate:
		return trimBranches(n, trimTail)
	case KindConcat:
		subs := n.Subs
		for len(subs) > 0 {
			last := len(subs) - 1
			tail := trimTail(subs[last])
			if tail.Kind != KindEmpty {
				return joined(tail, subs[:last], true)
			}
			subs = subs[:last]
		}
		return emptyNode
	default:
		return n
	}
}

func trimRepeat(n *Node, trim func(*Node) *Node) *Node {
	switch {
	case n.Min == 0:
		return emptyNode
	case n.Min == 1:
		return trim(n.Subs[0])
	default:
		out := *n
		out.Max = n.Min
		return &out
	}
}

func trimBranches(n *Node, trim func(*Node) *Node) *Node {
	out := *n
	out.Subs = make([]*Node, len(n.Subs))
	for i, sub := range n.Subs {
		out.Subs[i] = trim(sub)
	}
	return &out
}

// joined puts part before the rest of a sequence, or after it.
func joined(part *Node, rest []*Node, after bool) *Node {
	if len(rest) == 0 {
		return part
	}
	subs := make([]*Node, 0, len(rest)+1)
	if !after {
		subs = append(subs, part)
	}
	subs = append(subs, rest...)
	if after {
		subs = append(subs, part)
	}
	return &Node{Kind: KindConcat, Subs: subs}
}

package regex

// search gives the program of a scanner that wants to know whether the expression
// matches, and where its earliest-ending match ends. Repeats at either end of the
// expression are cut down to what they must take, which changes neither answer and
// leaves the scanner fewer states.
//
// exact is false if the expression has look-around or back-references: the program
// then matches wherever the expression does, and perhaps elsewhere. It asks for
// nothing after the end of a match. It is nil if it would be larger than MaxSize.
func (t *tree) search() (program *Program, exact bool) {
	root, linear := t.root, t.root.linear()
	if linear {
		root = trimTail(trimHead(root))
	}
	program = newProgram(root)
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

var emptyNode = &node{kind: kindEmpty}

// trimHead cuts down what n starts with. A search tries every place, so whatever
// a leading repeat takes beyond its least can as well be left before the match.
func trimHead(n *node) *node {
	switch n.kind {
	case kindRepeat:
		return trimRepeat(n, trimHead)
	case kindCapture:
		return trimHead(n.subs[0])
	case kindAlternate:
		return trimBranches(n, trimHead)
	case kindConcat:
		subs := n.subs
		for len(subs) > 0 {
			head := trimHead(subs[0])
			if head.kind != kindEmpty {
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
func trimTail(n *node) *node {
	switch n.kind {
	case kindRepeat:
		return trimRepeat(n, trimTail)
	case kindCapture:
		return trimTail(n.subs[0])
	case kindAlternate:
		return trimBranches(n, trimTail)
	case kindConcat:
		subs := n.subs
		for len(subs) > 0 {
			last := len(subs) - 1
			tail := trimTail(subs[last])
			if tail.kind != kindEmpty {
				return joined(tail, subs[:last], true)
			}
			subs = subs[:last]
		}
		return emptyNode
	default:
		return n
	}
}

func trimRepeat(n *node, trim func(*node) *node) *node {
	switch {
	case n.min == 0:
		return emptyNode
	case n.min == 1:
		return trim(n.subs[0])
	default:
		out := *n
		out.max = n.min
		return &out
	}
}

func trimBranches(n *node, trim func(*node) *node) *node {
	out := *n
	out.subs = make([]*node, len(n.subs))
	for i, sub := range n.subs {
		out.subs[i] = trim(sub)
	}
	return &out
}

// joined puts part before the rest of a sequence, or after it.
func joined(part *node, rest []*node, after bool) *node {
	if len(rest) == 0 {
		return part
	}
	subs := make([]*node, 0, len(rest)+1)
	if !after {
		subs = append(subs, part)
	}
	subs = append(subs, rest...)
	if after {
		subs = append(subs, part)
	}
	return &node{kind: kindConcat, subs: subs}
}

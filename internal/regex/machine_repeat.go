package regex

// giveBack goes one character back in what a greedy repeat took, or more where
// what must follow is known not to. -1 if nothing is left.
func (m *machine) giveBack(i *minst, pos, bound int, b *budget) int {
	from := pos
	for pos != bound {
		_, size := m.char(pos, !i.back)
		pos += size
		if i.stop < 0 || pos < len(m.text) && m.text[pos] == byte(i.stop) {
			return pos
		}
		if from-pos > 1<<12 {
			b.left -= 1 << 10
			from = pos
		}
	}
	b.left -= (from - pos) / 4
	return -1
}

// repeat takes as many characters as it must (lazy) or can (greedy), and stacks
// the other ways.
func (m *machine) repeat(i *minst, at int32, pos int, b *budget) (int, bool) {
	from, bound := pos, pos
	most := i.most
	if i.lazy {
		most = i.least
	}
	n := int32(0)
	for n < most {
		r, size := m.char(pos, i.back)
		if size == 0 || !i.set.has(r) {
			break
		}
		pos += size
		n++
		if n == i.least {
			bound = pos
		}
		if n&0xFFF == 0 && !b.take(1<<10) {
			m.spent = true
			return pos, false
		}
	}
	b.left -= max(pos-from, from-pos) & 0xFFF / 4
	if n < i.least {
		return pos, false
	}
	switch {
	case i.lazy && i.most > i.least:
		m.stack.push(choice{at: at, pos: int32(pos), trail: int32(m.trail.size), rest: i.most - i.least})
	case !i.lazy && pos != bound:
		m.stack.push(choice{at: at, pos: int32(pos), trail: int32(m.trail.size), rest: int32(bound)})
	}
	return pos, true
}

// loop decides what comes after a round of a loop, or before the first. It gives
// the next instruction, -1 to fail.
func (m *machine) loop(i *minst, pos int) int32 {
	rounds := m.regs[i.reg]
	if rounds > 0 && int(m.regs[i.reg+1]) == pos {
		// The last round took nothing. ECMAScript refuses such a round once there
		// are enough; .NET takes it and leaves the loop.
		if m.code.ecma && rounds > i.least {
			return -1
		}
		if !m.code.ecma && rounds >= i.least {
			return i.y
		}
		if i.least-rounds > 1000 {
			return i.y // the rounds that are still owed would take nothing either
		}
	}
	switch {
	case rounds < i.least:
		return i.x
	case rounds >= i.most:
		return i.y
	case i.lazy:
		m.push(i.x, pos)
		return i.y
	default:
		m.push(i.y, pos)
		return i.x
	}
}

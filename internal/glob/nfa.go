package glob

// automaton matches patterns whose braces would multiply into too many alternatives. It follows all of them at once: each
// character of the text costs at most one step for each instruction.
type automaton struct {
	code []instr
}

type opcode uint8

const (
	opChar  opcode = iota // one character: r
	opAny                 // one character, whichever
	opClass               // one character of class
	opSplit               // go on at x and at y
	opJump                // go on at x
	opNot                 // go on at y, unless the rest of the text matches from x on
	opDone
)

type instr struct {
	op    opcode
	r     rune
	class *class
	x, y  int
}

func newAutomaton(seq []element) *automaton {
	a := &automaton{}
	a.emit(seq)
	a.code = append(a.code, instr{op: opDone})
	return a
}

func (a *automaton) emit(seq []element) {
	for _, e := range seq {
		at := len(a.code)
		switch e.kind {
		case literal:
			for _, r := range e.text {
				a.code = append(a.code, instr{op: opChar, r: r})
			}
		case anyChar:
			a.code = append(a.code, instr{op: opAny})
		case inClass:
			a.code = append(a.code, instr{op: opClass, class: e.class})
		case star:
			a.code = append(a.code, instr{op: opSplit, x: at + 1, y: at + 3}, instr{op: opAny}, instr{op: opJump, x: at})
		case braces:
			a.alternatives(e.alts)
		case repeated:
			if e.once {
				a.alternatives(e.alts)
				a.code = append(a.code, instr{op: opSplit, x: at, y: len(a.code) + 1})
				continue
			}
			a.code = append(a.code, instr{op: opSplit, x: at + 1})
			a.alternatives(e.alts)
			a.code = append(a.code, instr{op: opJump, x: at})
			a.code[at].y = len(a.code)
		case negated:
			a.code = append(a.code, instr{op: opNot, x: at + 1})
			a.alternatives(e.alts)
			jump := len(a.code)
			a.code = append(a.code, instr{op: opJump})
			a.code[at].y = len(a.code)
			a.emit([]element{{kind: star}})
			a.code[jump].x = len(a.code)
		}
	}
}

func (a *automaton) alternatives(alts [][]element) {
	var jumps []int
	for i, alt := range alts {
		split := -1
		if i < len(alts)-1 {
			split = len(a.code)
			a.code = append(a.code, instr{op: opSplit, x: split + 1})
		}
		a.emit(alt)
		if split >= 0 {
			jumps = append(jumps, len(a.code))
			a.code = append(a.code, instr{op: opJump})
			a.code[split].y = len(a.code)
		}
	}
	for _, j := range jumps {
		a.code[j].x = len(a.code)
	}
}

// run is the state of one match: the instructions that are waiting for the next character, each at most once.
type run struct {
	code    []instr
	now     []int
	next    []int
	seen    []int // seen[pc] is the turn in which pc was last added
	turn    int
	pending []int
	done    bool // the text read so far matches
}

func (a *automaton) match(s string, m *meter) bool {
	r := run{code: a.code, seen: make([]int, len(a.code))}
	r.turn = 1
	r.add(0)
	r.now, r.next = r.next, r.now
	for len(s) > 0 {
		if len(r.now) == 0 || !m.take(len(r.now)) {
			return false
		}
		c, n := decode(s)
		s = s[n:]
		r.turn++
		r.done = false
		r.next = r.next[:0]
		for _, pc := range r.now {
			in := &r.code[pc]
			if in.op == opAny || in.op == opChar && in.r == c || in.op == opClass && in.class.has(c) {
				r.add(pc + 1)
			}
		}
		r.now, r.next = r.next, r.now
	}
	return r.done
}

// add enters pc and all that is reached from it without reading a character.
func (r *run) add(pc int) {
	r.pending = append(r.pending[:0], pc)
	for len(r.pending) > 0 {
		pc := r.pending[len(r.pending)-1]
		r.pending = r.pending[:len(r.pending)-1]
		if r.seen[pc] == r.turn {
			continue
		}
		r.seen[pc] = r.turn
		switch in := &r.code[pc]; in.op {
		case opSplit:
			r.pending = append(r.pending, in.y, in.x)
		case opJump:
			r.pending = append(r.pending, in.x)
		case opDone:
			r.done = true
		default:
			r.next = append(r.next, pc)
		}
	}
}

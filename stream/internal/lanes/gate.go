package lanes

import (
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// gate is what the text after the entry of a lane has to hold before the lane can come to
// anything: so many characters of one kind in a row, as a token has them, after a gap that
// has an end. Until they are there nobody has to walk the lane.
type gate struct {
	kind uint8 // of runKinds
	run  int   // characters
	gap  int   // the most characters between the entry and the run
	any  bool  // the gap takes nearly every character: what is in it says nothing
}

// noGate is the gate of a lane that has to be walked at once.
var noGate = &gate{}

// runKinds are the kinds of characters that runs are of: those of names and keys, and
// those of what is encoded. The second holds the first.
var runKinds = [...]string{"_-", "_-+/=.~"}

// kindsOf says for each byte which kinds it is of, a bit for each, and wideByte if it is
// part of a character outside of ASCII.
var kindsOf = func() (out [256]uint8) {
	for c := range out {
		for kind, more := range runKinds {
			letter := '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
			if letter || slices.Contains([]byte(more), byte(c)) {
				out[c] |= 1 << kind
			}
		}
		if c >= 0x80 {
			out[c] = wideByte
		}
	}
	return out
}()

const wideByte = 0x80

// runLengths are the lengths that are asked for. Text is full of short runs of the first
// kind, and of longer ones of the second: to wait for those is no gain.
var runLengths = [...]int{1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40, 48, 64}

// shortestRuns are the least lengths of each kind that a gate waits for.
var shortestRuns = [len(runKinds)]int{10, 16}

// maxGap bounds the gap: text is kept for as long.
const maxGap = 256

// maxGated bounds the instructions of a lane that is looked at for a gate.
const maxGated = 4096

// gate gives the gate of a lane. It is found when the lane is first entered.
func (a *Automaton) gate(lane uint32) *gate {
	known := a.gates[lane].Load()
	if known == nil {
		known = a.findGate(lane)
		a.gates[lane].Store(known)
	}
	return known
}

func (a *Automaton) findGate(lane uint32) *gate {
	l := newGated(a, lane)
	if l == nil {
		return noGate
	}
	for kind, shortest := range a.Limits.Runs {
		l.classify(uint8(kind))
		length := 0
		for _, n := range runLengths { // longer ones are harder to do without
			if l.avoids(n) {
				break
			}
			length = n
		}
		if length < shortest || length == 0 {
			continue
		}
		l.avoids(length)
		if gap, any, ok := l.gap(length); ok && gap <= maxGap {
			return &gate{kind: uint8(kind), run: length, gap: gap, any: any}
		}
	}
	return noGate
}

// gated is the instructions of a lane, with those that are come to first in front.
type gated struct {
	a       *Automaton
	numbers []uint32 // of the instructions, from the highest down
	entries []int    // in numbers
	out     []int    // in numbers
	alt     []int
	inRun   []bool // the instruction takes nothing but characters of the kind
	least   []int  // the shortest run that it can be come to with, without a whole one before; -1: none
}

// newGated gives nil if there are too many.
func newGated(a *Automaton, lane uint32) *gated {
	l := &gated{a: a}
	seen := make(map[uint32]bool)
	todo := slices.Clone(a.lanes[lane].entries)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if l.numbers = append(l.numbers, at); len(l.numbers) > maxGated {
			return nil
		}
		switch i := &a.code.insts[at]; i.op {
		case syntax.OpSplit:
			todo = append(todo, i.out, i.alt)
		case syntax.OpSet, syntax.OpAssert:
			todo = append(todo, i.out)
		}
	}
	slices.SortFunc(l.numbers, func(a, b uint32) int { return int(b) - int(a) })
	index := make(map[uint32]int, len(l.numbers))
	for i, number := range l.numbers {
		index[number] = i
	}
	l.out, l.alt = make([]int, len(l.numbers)), make([]int, len(l.numbers))
	for i, number := range l.numbers {
		inst := &a.code.insts[number]
		l.out[i], l.alt[i] = index[inst.out], index[inst.alt]
	}
	for _, entry := range a.lanes[lane].entries {
		l.entries = append(l.entries, index[entry])
	}
	l.inRun, l.least = make([]bool, len(l.numbers)), make([]int, len(l.numbers))
	return l
}

// classify finds the instructions that take nothing but characters of a kind.
func (l *gated) classify(kind uint8) {
	alphabet := l.a.alphabet
	other := slices.Clone(alphabet.beyond) // by class: it has characters of other kinds
	for c, kinds := range kindsOf[:utf8.RuneSelf] {
		if kinds&(1<<kind) == 0 {
			other[alphabet.ascii[c]] = true
		}
	}
	known := make(map[uint32]bool) // by set
	for i := range l.numbers {
		inst := l.inst(i)
		if inst.op != syntax.OpSet {
			continue
		}
		within, ok := known[inst.set]
		if !ok {
			within = true
			for class := range other {
				within = within && !(other[class] && alphabet.classes[inst.set].has(uint16(class)))
			}
			known[inst.set] = within
		}
		l.inRun[i] = within
	}
}

func (l *gated) inst(i int) *inst { return &l.a.code.insts[l.numbers[i]] }

// avoids says whether a match can be come to without a run of a length, and leaves in
// least what can.
func (l *gated) avoids(length int) bool {
	for i := range l.least {
		l.least[i] = -1
	}
	type step struct{ at, run int }
	var todo []step
	for _, entry := range l.entries {
		todo = append(todo, step{entry, 0})
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.least[s.at] >= 0 && l.least[s.at] <= s.run {
			continue
		}
		l.least[s.at] = s.run
		switch inst := l.inst(s.at); inst.op {
		case syntax.OpMatch:
			return true
		case syntax.OpSplit:
			todo = append(todo, step{l.alt[s.at], s.run}, step{l.out[s.at], s.run})
		case syntax.OpAssert:
			todo = append(todo, step{l.out[s.at], s.run})
		case syntax.OpSet:
			if !l.inRun[s.at] {
				todo = append(todo, step{l.out[s.at], 0})
			} else if s.run+1 < length {
				todo = append(todo, step{l.out[s.at], s.run + 1})
			}
		}
	}
	return false
}

// gap finds, among what avoids has left, the most characters that may come before a run;
// ok is false if there is no bound.
func (l *gated) gap(length int) (gap int, any, ok bool) {
	most := make([]int, len(l.numbers)) // characters before the instruction
	any = true
	for i := range l.numbers { // programs are numbered back to front
		if l.least[i] < 0 {
			continue
		}
		inst, next := l.inst(i), []int{l.out[i]}
		taken := 0
		switch inst.op {
		case syntax.OpSplit:
			next = append(next, l.alt[i])
		case syntax.OpSet:
			taken = 1
			if l.inRun[i] && l.least[i]+1 >= length {
				continue
			}
			if !l.inRun[i] {
				gap = max(gap, most[i]+1)
				any = any && l.takesMost(inst.set)
			}
		case syntax.OpAssert:
		default:
			continue
		}
		for _, to := range next {
			if to <= i { // a loop
				return 0, false, false
			}
			most[to] = max(most[to], most[i]+taken)
		}
	}
	return gap, any, true
}

// takesMost says whether a set has all characters of ASCII that are seen.
func (l *gated) takesMost(set uint32) bool {
	for c := ' '; c <= '~'; c++ {
		if !l.a.alphabet.classes[set].has(uint16(l.a.ascii[c])) {
			return false
		}
	}
	return true
}

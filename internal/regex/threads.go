package regex

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/internal/sparse"
)

// threads are the positions that a program is at, the preferred first, each with
// where its match began.
type threads struct {
	set    sparse.Set
	starts []int // by the thread's index in set.Dense
}

func newThreads(size int) *threads {
	return &threads{set: sparse.New(size, size), starts: make([]int, size)}
}

// finder runs a program over a text with all alternatives at once, in the order
// of preference, so that it finds the match that backtracking would.
type finder struct {
	program *syntax.Program
	text    string
	todo    []uint32
	cost    int
}

// find gives the first match. The time is proportional to the text, times the
// program where many alternatives stay open. ok is false when the budget is used up.
func find(p *syntax.Program, text string, first *[256]bool, b *budget) (start, end int, ok bool) {
	f := &finder{program: p, text: text}
	now, next := newThreads(len(p.Insts)), newThreads(len(p.Insts))
	start, end = -1, -1
	before := syntax.NoRune
	for pos := 0; ; {
		if len(now.set.Dense) == 0 {
			if start >= 0 || p.Anchored && pos > 0 {
				break
			}
			if skipped := f.skip(pos, first); skipped > pos {
				before, _ = utf8.DecodeLastRuneInString(text[:skipped])
				b.left -= (skipped - pos) / 8
				pos = skipped
			}
		}
		after, size := syntax.NoRune, 0
		if pos < len(text) {
			after, size = utf8.DecodeRuneInString(text[pos:])
		}
		if start < 0 && (pos == 0 || !p.Anchored) {
			f.add(now, p.Start, pos, pos, before, after)
		}
		following := syntax.NoRune
		if pos+size < len(text) {
			following, _ = utf8.DecodeRuneInString(text[pos+size:])
		}
		next.set.Clear()
		for i, at := range now.set.Dense {
			inst := &p.Insts[at]
			if inst.Op == syntax.OpMatch {
				start, end = now.starts[i], pos
				break // those after are not preferred
			}
			if inst.Op == syntax.OpSet && size > 0 && syntax.RuneSet(inst.Set).Contains(after) {
				f.add(next, inst.Out, pos+size, now.starts[i], after, following)
			}
		}
		if !b.take(4 + 2*len(now.set.Dense) + 2*f.cost) {
			return -1, -1, false
		}
		f.cost = 0
		if size == 0 {
			break
		}
		pos += size
		before = after
		now, next = next, now
	}
	return start, end, true
}

// skip gives the next offset that a match can start at.
func (f *finder) skip(pos int, first *[256]bool) int {
	if first == nil {
		return pos
	}
	for pos < len(f.text) && (!first[f.text[pos]] || !utf8.RuneStart(f.text[pos]) && inside(f.text, pos)) {
		pos++
	}
	return pos
}

// add puts a position and what is reached from it without taking a character on the
// list, in order of preference.
func (f *finder) add(list *threads, at uint32, pos, start int, before, after rune) {
	f.todo = append(f.todo[:0], at)
	last := pos+utf8.RuneLen(max(after, 0)) == len(f.text)
	for len(f.todo) > 0 {
		at := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		if !list.set.Add(at) {
			continue
		}
		f.cost++
		list.starts[len(list.set.Dense)-1] = start
		switch inst := &f.program.Insts[at]; inst.Op {
		case syntax.OpSplit:
			f.todo = append(f.todo, inst.Alt, inst.Out)
		case syntax.OpAssert:
			if inst.Assert.Holds(before, after, last) {
				f.todo = append(f.todo, inst.Out)
			}
		}
	}
}

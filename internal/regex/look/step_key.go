package look

import (
	"encoding/binary"
	"slices"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// write gives the key of a state.
func (s *stepper) write(before syntax.Context, main formula, behinds []threads) []byte {
	b := append(s.bufferKey[:0], byte(before))
	roots := []formula{main}
	for _, w := range behinds {
		b = binary.AppendUvarint(b, uint64(len(w)))
		for _, p := range w {
			b = binary.AppendUvarint(b, uint64(p.at))
			roots = append(roots, p.when)
		}
	}
	s.bufferKey = s.formulas.write(b, roots)
	return s.bufferKey
}

// load sets what is before a step from the key of a state; ok is false if it is none.
func (s *stepper) load(key string) (ok bool) {
	code := s.automaton.code
	b := []byte(key)
	if len(b) == 0 || !slices.Contains(syntax.Contexts[:], syntax.Context(b[0])) {
		return false
	}
	before := syntax.Context(b[0]).Rune()
	b = b[1:]
	behinds := make([]threads, len(code.behinds))
	count := 1
	for i := range behinds {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(code.Insts)) {
			return false
		}
		b = b[size:]
		for range n {
			at, size := binary.Uvarint(b)
			if size <= 0 || at >= uint64(len(code.Insts)) {
				return false
			}
			b = b[size:]
			behinds[i] = append(behinds[i], thread{at: uint32(at)})
			count++
		}
	}
	roots, rest, ok := s.formulas.read(b, count, uint64(len(code.Insts)))
	if !ok || len(rest) > 0 {
		return false
	}
	next := 1
	for _, w := range behinds {
		for j := range w {
			w[j].when = roots[next]
			next++
		}
	}
	s.begin(before, roots[0], behinds)
	return true
}

// nested says whether what each look-behind has come to is inside of it, as it is in
// every state. What somebody else wrote might lead from one to itself, and a step would have no end.
func (s *stepper) nested() bool {
	code := s.automaton.code
	for i, list := range s.behinds {
		part := &code.lookarounds[code.behinds[i]]
		inside := func(at uint32) bool { return part.first <= at && at < part.end }
		for _, p := range list {
			if !inside(p.at) || !s.formulas.all(p.when, func(variable int32) bool { return inside(uint32(variable)) }, make(map[formula]bool)) {
				return false
			}
		}
	}
	return true
}

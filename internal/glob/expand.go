package glob

// expand writes out the braces of a sequence: each result is one alternative without braces, in the order of the pattern.
// It answers false as soon as there would be more than limit alternatives, or more than maxExpanded elements in all.
func expand(seq []element, limit int) ([][]element, bool) {
	out := [][]element{nil}
	size := 0
	for _, e := range seq {
		if e.kind != braces {
			for i := range out {
				out[i] = appendElement(out[i], e)
			}
			if size += len(out) * weight(e); size > maxExpanded {
				return nil, false
			}
			continue
		}
		var choices [][]element
		for _, alt := range e.alts {
			some, ok := expand(alt, limit-len(choices))
			if !ok {
				return nil, false
			}
			choices = append(choices, some...)
		}
		if len(out)*len(choices) > limit {
			return nil, false
		}
		if len(choices) == 1 {
			// Nothing multiplies: a long row of `{x}` must not copy all that came before it each time.
			for _, e := range choices[0] {
				for i := range out {
					out[i] = appendElement(out[i], e)
				}
				if size += len(out) * weight(e); size > maxExpanded {
					return nil, false
				}
			}
			continue
		}
		next := make([][]element, 0, len(out)*len(choices))
		size = 0
		for _, head := range out {
			for _, tail := range choices {
				joined := make([]element, len(head), len(head)+len(tail)+2)
				copy(joined, head)
				for _, e := range tail {
					joined = appendElement(joined, e)
				}
				for _, e := range joined {
					size += weight(e)
				}
				if size > maxExpanded {
					return nil, false
				}
				next = append(next, joined)
			}
		}
		out = next
	}
	return out, len(out) <= limit
}

// size is what a sequence would be with its braces written out: how many
// alternatives, and the weight of all of them.
type size struct{ alternatives, weight int64 }

// enough is more than any limit; counting stops there, so that nothing overflows.
const enough = 1 << 24

// sizeOf counts without writing out. Neighbouring literals, which expand joins, count
// one by one.
func sizeOf(seq []element) size {
	s := size{alternatives: 1}
	for _, e := range seq {
		next := size{1, int64(weight(e))}
		if e.kind == braces {
			next = size{}
			for _, alt := range e.alts {
				some := sizeOf(alt)
				next.alternatives += some.alternatives
				next.weight += some.weight
			}
		}
		s.weight = min(s.weight*next.alternatives+next.weight*s.alternatives, enough)
		s.alternatives = min(s.alternatives*next.alternatives, enough)
	}
	return s
}

// weight counts what an element costs to hold and to match.
func weight(e element) int {
	n := 1 + len(e.text)
	for _, alt := range e.alts {
		n++
		for _, e := range alt {
			n += weight(e)
		}
	}
	return n
}

// appendElement joins neighbouring literals, so that `a{b,c}d` becomes two plain texts.
func appendElement(seq []element, e element) []element {
	if n := len(seq); n > 0 && e.kind == literal && seq[n-1].kind == literal {
		seq[n-1].text += e.text
		return seq
	}
	return append(seq, e)
}

package toolcall

import "strings"

// maxSegments is how many texts of a call are told apart. Each costs whoever watches it far more than its bytes, and a call can have
// one in every four of its own.
const maxSegments = 16 << 10

// further is a segment for one more text where there are too many: it follows, on a line of its own, another text of the same kind that
// has ended. Which file it goes to is not told any more: it may be any. A text that has not ended is never interrupted by another, so
// that there are as many of these segments as texts are open at once.
func (r *Reader) further(kind Kind) int {
	free := r.free[kind]
	if len(free) == 0 {
		return r.append(&segment{Segment: Segment{Kind: kind, Anywhere: true}, further: true})
	}
	at := free[len(free)-1]
	r.free[kind] = free[:len(free)-1]
	r.segments[at].unused = false
	r.breaks(at)
	return at
}

// breaks begins a line, unless one has begun.
func (r *Reader) breaks(segment int) {
	if text := r.segments[segment].text.String(); text != "" && !strings.HasSuffix(text, "\n") {
		r.add("\n", segment)
	}
}

// release makes room for the next text in a segment of many.
func (r *Reader) release(segment int) {
	s := r.segments[segment]
	if s.unused {
		return
	}
	s.unused = true
	if r.free == nil {
		r.free = map[Kind][]int{}
	}
	r.free[s.Kind] = append(r.free[s.Kind], segment)
}

// openFiles makes segments for a text that goes to files: beyond what is told apart, one for all that are left.
func (r *Reader) openFiles(kind Kind, files []file, scope, folder *scope, further func() int) (segments []int) {
	for _, f := range files {
		if len(r.segments) >= maxSegments {
			return append(segments, further())
		}
		segment := r.open(kind, f.name, scope)
		r.segments[segment].folder, r.segments[segment].Anywhere = folder, f.anywhere
		segments = append(segments, segment)
	}
	return segments
}

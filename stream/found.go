package stream

import (
	"cmp"
	"slices"
	"unsafe"
)

// foundList is what fires in one call of a stream. A stranger's triggers may each match at every character, so no more is kept of them than
// what is told: the first match of each.
type foundList struct {
	list []Firing
	kept int // how many of the list are settled: one of each trigger, in order
	full int // how long the list may become before it is gone through
	// seen are the lists of expressions, by where they lie, of which none is news any more. It lives as long as the stream.
	seen  map[*uint32]struct{}
	bytes int // of the lists of seen, which may be nobody else's any more
}

const (
	fewFirings = 1 << 10 // for how many it is not worth while to go through them
	fewMatches = 32      // as many expressions are asked one by one
	maxSeen    = 1 << 10
	maxBytes   = 4 << 20
)

// begin empties the list for the next call.
func (f *foundList) begin() { f.list, f.kept, f.full = f.list[:0], 0, fewFirings }

func (f *foundList) add(found Firing) {
	if len(f.list) >= f.full {
		f.compact()
		f.full = 2*len(f.list) + fewFirings
	}
	f.list = append(f.list, found)
}

// settle gives what is new, one of each trigger, in order. None of these may be added again.
func (f *foundList) settle() []Firing {
	f.compact()
	settled := f.list[f.kept:]
	f.kept = len(f.list)
	return settled
}

// compact puts what is not settled in order, and leaves each trigger its first: whichever lane has found it.
func (f *foundList) compact() {
	open := f.list[f.kept:]
	slices.SortFunc(open, func(a, b Firing) int {
		return cmp.Or(cmp.Compare(a.Trigger, b.Trigger), order(a, b))
	})
	open = slices.CompactFunc(open, func(a, b Firing) bool { return a.Trigger == b.Trigger })
	slices.SortFunc(open, order)
	f.list = f.list[:f.kept+len(open)]
}

// order is that in which triggers are told.
func order(a, b Firing) int {
	return cmp.Or(cmp.Compare(a.Decided, b.Decided), cmp.Compare(a.Trigger, b.Trigger), cmp.Compare(a.Offset, b.Offset))
}

// spent tells whether a list of expressions holds no news.
func (f *foundList) spent(expressions []uint32) bool {
	_, yes := f.seen[unsafe.SliceData(expressions)]
	return yes
}

// spend takes note of such a list.
func (f *foundList) spend(expressions []uint32) {
	if f.seen == nil {
		f.seen = make(map[*uint32]struct{})
	}
	if f.bytes += 4 * len(expressions); len(f.seen) >= maxSeen || f.bytes > maxBytes { // states that are made again and again
		clear(f.seen)
		f.bytes = 4 * len(expressions)
	}
	f.seen[unsafe.SliceData(expressions)] = struct{}{}
}

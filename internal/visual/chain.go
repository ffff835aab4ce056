package visual

import (
	"sort"

	"github.com/pertain-dev/pertain/facts"
)

// A query is run from left to right, chain by chain, over stretches of the
// document order: the elements below an element are the stretch after it. Of
// the elements that a chain but the last finds, only the outermost matter, since
// what is below the others is below those too; their stretches do not overlap.
// So answers come in document order, each once, and nothing is collected on the
// way.
//
// Inside a chain, the elements that can be its last step are tried one after the
// other (those of a type are listed by the tree), and the steps before are
// looked up through their parents.

// block is how many elements go through the tests of a step together.
const block = 256

// chain runs chain n and all after it on the elements from low to high-1. False
// means stop.
func (r *run) chain(n, low, high int) bool {
	c := &r.query.chains[n]
	s := c.steps[len(c.steps)-1]
	if s.test.never {
		return false // nor does the query select anything elsewhere
	}
	for k := range c.steps {
		r.memo(c.first + k).element = 0
	}
	if !r.spend(4) {
		return false
	}
	last := n == len(r.query.chains)-1
	switch {
	case c.anchored && len(c.steps) == 1:
		return r.starts(s, last)
	case !last:
		return r.outermost(n, low, high)
	case s.any:
		return r.scanAll(c, low, high)
	}
	list := r.postings(c, s.kind, low, high)
	if len(c.steps) == 1 && r.mode == counting && r.query.attribute == NoAttribute && s.test.empty() {
		r.count += len(list)
		return true
	}
	return r.tryAll(c, len(c.steps)-2, list, low)
}

// tryAll is the last chain for elements that have the type of its last step.
// above is the step that their parents are to pass; -1 if it is known that they
// do.
func (r *run) tryAll(c *chain, above int, list []int32, low int) bool {
	t := &c.steps[len(c.steps)-1].test
	var buffer [block]int32
	for size := r.firstBlock(); len(list) > 0; size = min(2*size, block) {
		n := min(len(list), size)
		if !r.spend(n) {
			return false
		}
		some := r.inStates(t, list[:n], buffer[:])
		if t.name != nil {
			some = t.name.pickNamed(r.tree, some, buffer[:])
		}
		if !r.scan(c, above, some, buffer[:], low) {
			return false
		}
		list = list[n:]
	}
	return true
}

// firstBlock is small where the first element found will do.
func (r *run) firstBlock() int {
	if r.mode == finding {
		return block / 16
	}
	return block
}

// postings are the elements of a type from low to high-1. A chain's stretches
// ascend, so the search goes on where the last one ended.
func (r *run) postings(c *chain, kind facts.ElementType, low, high int) []int32 {
	list := r.tree.OfType(kind)
	if low == 0 && high == r.tree.Len() {
		return list
	}
	m := r.memo(c.first)
	start := int(m.cursor) + ahead(list[m.cursor:], low)
	end := start + ahead(list[start:], high)
	m.cursor = int32(end)
	return list[start:end]
}

// ahead is how many entries of an ascending list are below limit. It is quick
// where they are few.
func ahead(list []int32, limit int) int {
	step := 1
	for step <= len(list) && int(list[step-1]) < limit {
		step *= 2
	}
	from, to := step/2, min(step, len(list))
	return from + sort.Search(to-from, func(i int) bool { return int(list[from+i]) >= limit })
}

// scanAll is the last chain where its last step is *.
func (r *run) scanAll(c *chain, low, high int) bool {
	t := &c.steps[len(c.steps)-1].test
	var buffer [block]int32
	for from := low; from < high; from += block {
		n := min(block, high-from)
		if !r.spend(n) || !r.scan(c, len(c.steps)-2, r.rangeInStates(t, from, from+n, buffer[:]), buffer[:], low) {
			return false
		}
	}
	return true
}

// inStates picks the elements whose states are as a test wants them, into buffer
// if there is anything to pick.
func (r *run) inStates(t *test, list, buffer []int32) []int32 {
	r.looks += len(list)
	if t.states == 0 {
		return list
	}
	states, want, n := t.states, t.want, 0
	if r.columns == nil {
		for _, id := range list {
			if r.tree.At(int(id)).States&states == want {
				buffer[n] = id
				n++
			}
		}
		return buffer[:n]
	}
	column := r.columns.states
	for _, id := range list {
		if column[id]&states == want {
			buffer[n] = id
			n++
		}
	}
	return buffer[:n]
}

// rangeInStates is inStates for all elements from low to high-1.
func (r *run) rangeInStates(t *test, low, high int, buffer []int32) []int32 {
	r.looks += high - low
	states, want, n := t.states, t.want, 0
	if r.columns == nil {
		for i := low; i < high; i++ {
			if r.tree.At(i).States&states == want {
				buffer[n] = int32(i)
				n++
			}
		}
		return buffer[:n]
	}
	for k, s := range r.columns.states[low:high] {
		if s&states == want {
			buffer[n] = int32(low + k)
			n++
		}
	}
	return buffer[:n]
}

// scan is the rest of the last chain for elements that have the type and the
// states of its last step; above as for tryAll. list may be in buffer.
func (r *run) scan(c *chain, above int, list, buffer []int32, low int) bool {
	t := &c.steps[len(c.steps)-1].test
	if above >= 0 && !t.looks && !c.text {
		list = r.belowFitting(c, list, buffer, low)
		above = -1
		if r.outcome != Done {
			return false
		}
	}
	if r.mode == counting && r.query.attribute == NoAttribute && above < 0 && !t.looks && len(t.costly) == 0 {
		r.count += len(list)
		return true
	}
	for _, id := range list {
		i := int(id)
		if t.looks && !r.passesRest(t, r.tree.At(i)) || above >= 0 && !r.fits(c, above, r.parent(i), low) || !r.passesText(t, i) {
			if r.outcome != Done {
				return false
			}
			continue
		}
		if !r.emit(i) {
			return false
		}
	}
	return true
}

// belowFitting picks the elements whose parents pass the steps of a chain before
// the last. It ends where the outcome is settled.
func (r *run) belowFitting(c *chain, list, buffer []int32, low int) []int32 {
	above, n := len(c.steps)-2, 0
	last, ok := -1, false // above a root is nothing that fits
	for _, id := range list {
		if p := r.parent(int(id)); p != last {
			last, ok = p, r.fits(c, above, p, low)
			if r.outcome != Done {
				return nil
			}
		}
		if ok {
			buffer[n] = id
			n++
		}
	}
	return buffer[:n]
}

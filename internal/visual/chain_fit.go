package visual

import "github.com/pertain-dev/pertain/facts"

// outermost runs chain n, which is not the last, and the next ones below each
// outermost element that it finds.
func (r *run) outermost(n, low, high int) bool {
	c := &r.query.chains[n]
	s := c.steps[len(c.steps)-1]
	var list []int32
	if !s.any {
		list = r.postings(c, s.kind, low, high)
	}
	for i := low; i < high; {
		if !s.any {
			skip := ahead(list, i)
			if skip == len(list) {
				return true
			}
			i, list = int(list[skip]), list[skip:]
		}
		if !r.spend(1) {
			return false
		}
		if !r.fits(c, len(c.steps)-1, i, low) {
			if r.outcome != Done {
				return false
			}
			i++
			continue
		}
		end := r.tree.At(i).End
		if !r.chain(n+1, i+1, end) {
			return false
		}
		i = end
	}
	return true
}

// starts is a first chain of one step: the roots and the children of screens, or
// the children of the primary element.
func (r *run) starts(s *step, last bool) bool {
	if r.query.fromPrimary {
		return r.children(s, last, r.index.primary)
	}
	covered := 0 // what is below a found root is done
	for _, root := range r.tree.Roots() {
		if !r.startsAt(s, last, root, &covered) {
			return false
		}
		if r.tree.At(root).Type == facts.ScreenType && covered <= root && !r.children(s, last, root) {
			return false
		}
	}
	return true
}

func (r *run) children(s *step, last bool, parent int) bool {
	end := r.tree.At(parent).End
	for i := parent + 1; i < end; i = r.tree.At(i).End {
		var covered int
		if !r.startsAt(s, last, i, &covered) {
			return false
		}
	}
	return true
}

// startsAt tries one element that a path can start at. If chains follow, they
// are run below it, and covered is set to the end of that.
func (r *run) startsAt(s *step, last bool, i int, covered *int) bool {
	if !r.spend(1) {
		return false
	}
	e := r.tree.At(i)
	if !s.any && e.Type != s.kind || !r.passes(&s.test, e) || !r.passesText(&s.test, i) {
		return r.outcome == Done
	}
	if last {
		return r.emit(i)
	}
	*covered = e.End
	return r.chain(1, i+1, e.End)
}

// fits says whether element i passes step k of a chain, and those above it pass
// the steps before. low is where the chain's stretch starts.
func (r *run) fits(c *chain, k, i, low int) bool {
	if i < 0 {
		return false
	}
	m := r.memo(c.first + k)
	if m.element == int32(i)+1 {
		return m.ok
	}
	r.left--
	s := c.steps[k]
	ok := r.isKind(s, i) && (s.test.empty() || r.passes(&s.test, r.tree.At(i)))
	if ok && k > 0 {
		ok = r.fits(c, k-1, r.parent(i), low)
	} else if ok {
		ok = r.begins(c, i, low)
	}
	ok = ok && r.passesText(&s.test, i)
	m.element, m.ok = int32(i)+1, ok
	return ok
}

// begins says whether a chain's first step may be at element i.
func (r *run) begins(c *chain, i, low int) bool {
	if !c.anchored {
		return i >= low
	}
	parent := r.parent(i)
	if r.query.fromPrimary {
		return parent == r.index.primary
	}
	return parent < 0 || r.parent(parent) < 0 && r.tree.At(parent).Type == facts.ScreenType
}

// isKind says whether an element has the type of a step.
func (r *run) isKind(s *step, i int) bool {
	if r.columns != nil {
		return s.any || r.columns.kinds[i] == s.kind
	}
	return s.any || r.tree.At(i).Type == s.kind
}

// parent is the parent of an element, -1 for a root.
func (r *run) parent(i int) int {
	if r.columns != nil {
		return int(r.columns.parents[i])
	}
	return r.tree.At(i).Parent
}

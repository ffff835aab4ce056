package visual

// byName runs the query from its end, for queries whose last step asks for a
// name, if such names are indexed: the few elements with that name are
// tried, and everything else is looked up above them. False means that the query
// was not run.
func (r *run) byName(low, high int) bool {
	chains := r.query.chains
	last := len(chains) - 1
	c := &chains[last]
	k := len(c.steps) - 1
	s := c.steps[k]
	if s.test.name == nil || s.test.never || c.anchored && k == 0 {
		return false
	}
	names := r.index.namesOf(s, min(high-low, r.index.size(s)))
	if names == nil {
		return false
	}
	rest := s.test
	if rest.name.fold { // then the index has compared the names
		rest.name = nil
		rest.looks = len(rest.cheap) > 0
	}
	for _, id := range names.find(s.test.name.text) {
		i := int(id)
		if i < low || i >= high {
			continue
		}
		if !r.spend(1) {
			return true
		}
		e := r.tree.At(i)
		if !r.passes(&rest, e) || k > 0 && !r.fits(c, k-1, e.Parent, low) || !r.upward(i, low) || !r.passesText(&rest, i) {
			if r.outcome != Done {
				return true
			}
			continue
		}
		if !r.emit(i) {
			return true
		}
	}
	return true
}

// upward says whether the chains before the last are found above element i,
// which passes the last. For every chain the nearest element will do: one further
// up leaves less above it for the chains before.
func (r *run) upward(i, low int) bool {
	chains := r.query.chains
	for n := len(chains) - 1; n > 0; n-- {
		for range len(chains[n].steps) - 1 {
			i = r.parent(i)
		}
		c := &chains[n-1]
		for i = r.parent(i); i >= 0 && !r.fits(c, len(c.steps)-1, i, low); i = r.parent(i) {
			if r.outcome != Done || !r.spend(1) {
				return false
			}
		}
		if i < 0 {
			return false
		}
	}
	return true
}

package visual

import "github.com/pertain-dev/pertain/facts"

// typePaths are the distinct paths of types that lead from the roots to the
// elements, each with the elements it leads to. Trees have many elements and few
// paths: what a query without filters says about the elements above another is
// found out once for each path, and how many there are is known beforehand.
type typePaths struct {
	paths    []typePath // a path stands after the one it goes on from
	all      []int32    // the numbers of all paths
	ofKind   [][]int32  // those that end with a type
	elements []int32    // path after path, in document order
}

// typePath is one path: another one and a type below it.
type typePath struct {
	kind       facts.ElementType
	parent     int32 // -1 for a root
	start, end int32 // its elements, as a part of typePaths.elements

	child, next int32 // while paths are entered: the first below, the next beside; -1 for none
	depth       int32 // how many are above
}

const (
	// elementsPerPath is how many elements a path must have on average. With
	// fewer, it is as well to look at the elements.
	elementsPerPath = 4
	// maxPathDepth bounds the way up from a path to its root. Trees that go
	// deeper are degenerate.
	maxPathDepth = 256
)

// newTypePaths makes the paths of a tree; there are none if that would not help
// because the paths are too many or too deep.
func newTypePaths(tree *facts.Tree) *typePaths {
	p := &typePaths{}
	n, root := tree.Len(), int32(-1) // root is the first of the paths without a parent
	which := make([]int32, n)        // the path of each element
	most := n / elementsPerPath
	for i := range n {
		e := tree.At(i)
		above := int32(-1)
		if e.Parent >= 0 {
			above = which[e.Parent]
		}
		at := p.enter(&root, above, e.Type)
		if len(p.paths) > most || p.paths[at].depth > maxPathDepth {
			return &typePaths{}
		}
		which[i] = at
		p.paths[at].end++ // a count, up to here
	}
	p.ofKind = make([][]int32, len(facts.ElementTypes()))
	p.all = make([]int32, len(p.paths))
	start := int32(0)
	for k := range p.paths {
		path := &p.paths[k]
		path.start, start = start, start+path.end
		path.end = path.start
		p.all[k] = int32(k)
		p.ofKind[path.kind] = append(p.ofKind[path.kind], int32(k))
	}
	p.elements = make([]int32, n)
	for i, at := range which {
		path := &p.paths[at]
		p.elements[path.end] = int32(i)
		path.end++
	}
	return p
}

// enter finds the path that goes on from above with a type, or makes it.
func (p *typePaths) enter(root *int32, above int32, kind facts.ElementType) int32 {
	link, depth := root, int32(0)
	if above >= 0 {
		link, depth = &p.paths[above].child, p.paths[above].depth+1
	}
	for at := *link; at >= 0; at = p.paths[at].next {
		if p.paths[at].kind == kind {
			return at
		}
	}
	at, first := int32(len(p.paths)), *link
	*link = at
	p.paths = append(p.paths, typePath{kind: kind, parent: above, child: -1, next: first, depth: depth})
	return at
}

// endingWith are the paths that end with the type of a step.
func (p *typePaths) endingWith(s *step) []int32 {
	switch {
	case s.any:
		return p.all
	case len(p.ofKind) == 0:
		return nil
	}
	return p.ofKind[s.kind]
}

// fit says whether the types of a path are as a query wants them. For every chain
// the nearest element will do, as in [run.upward].
func (p *typePaths) fit(q *Query, at int32) bool {
	for n := len(q.chains) - 1; n >= 0; n-- {
		c := &q.chains[n]
		top := p.top(c, at)
		for top < 0 && n < len(q.chains)-1 && p.paths[at].parent >= 0 {
			at = p.paths[at].parent
			top = p.top(c, at)
		}
		if top < 0 {
			return false
		}
		at = p.paths[top].parent
		if at < 0 {
			return n == 0
		}
	}
	return true
}

// top is where the first step of a chain is when its last is at a path; -1 if the
// chain is not there.
func (p *typePaths) top(c *chain, at int32) int32 {
	for k := len(c.steps) - 1; at >= 0; k-- {
		path := &p.paths[at]
		if s := c.steps[k]; !s.any && s.kind != path.kind {
			return -1
		}
		if k == 0 {
			if c.anchored && !p.begins(path) {
				return -1
			}
			return at
		}
		at = path.parent
	}
	return -1
}

// begins says whether a query that starts with / can start with a path: that of
// a root, or of a child of a screen.
func (p *typePaths) begins(path *typePath) bool {
	if path.parent < 0 {
		return true
	}
	above := &p.paths[path.parent]
	return above.parent < 0 && above.kind == facts.ScreenType
}

// byPath runs the query with the paths of the index, for queries that ask for
// nothing but types before their last step. False means that the query was not
// run: the paths are not there yet, or would be no help.
func (r *run) byPath() bool {
	p := r.index.paths.Load()
	if p == nil || !r.query.typesLead {
		return false
	}
	s := r.query.last()
	candidates := p.endingWith(s)
	if s.test.never || len(candidates) == 0 || len(candidates)*elementsPerPath > r.index.size(s) {
		return false
	}
	only := int32(-1) // the path to visit
	for _, at := range candidates {
		if !r.spend(1) {
			return true
		}
		switch {
		case !p.fit(r.query, at):
		case r.mode != visiting: // then the order does not matter
			if !r.onPath(p, at) {
				return true
			}
		case only >= 0:
			return false
		default:
			only = at
		}
	}
	if only >= 0 {
		r.onPath(p, only)
	}
	return true
}

// onPath tries the elements of a path that fits; false means stop.
func (r *run) onPath(p *typePaths, at int32) bool {
	list := p.elements[p.paths[at].start:p.paths[at].end]
	if r.mode != visiting && r.query.attribute == NoAttribute && r.query.last().test.empty() {
		r.count += len(list)
		return r.mode == counting
	}
	return r.tryAll(&r.query.chains[len(r.query.chains)-1], -1, list, 0)
}

package visual

import (
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/facts"
)

// Index is what queries are asked about: a tree and its primary element. It
// keeps what queries find out about the tree and other queries can use, so one
// Index should serve all queries on a tree. It is safe for concurrent use.
type Index struct {
	tree    *facts.Tree
	primary int // -1 for none

	work       atomic.Int64 // elements that were looked at before there were columns
	columnOnce sync.Once
	columns    atomic.Pointer[columns] // nil until they pay

	pathWork atomic.Int64 // elements whose parents were looked at before there were paths
	pathOnce sync.Once
	paths    atomic.Pointer[typePaths] // nil until they pay

	mu    sync.Mutex
	names []namesOfKind
}

// NewIndex makes an Index of a tree, which must not be nil. primary is the index
// of the element that `.` means; hasPrimary is false when there is none. The two
// are what facts.Snapshot.Primary returns.
func NewIndex(tree *facts.Tree, primary int, hasPrimary bool) *Index {
	if !hasPrimary || primary < 0 || primary >= tree.Len() {
		primary = -1
	}
	return &Index{tree: tree, primary: primary}
}

// Tree is the tree of the index.
func (s *Index) Tree() *facts.Tree { return s.tree }

// Primary is the index of the primary element; ok is false when there is none.
func (s *Index) Primary() (element int, ok bool) { return s.primary, s.primary >= 0 }

// columns are parts of all elements side by side. Elements are large and most
// queries look at a byte or two of each, so this keeps them in the processor's
// cache.
type columns struct {
	kinds   []facts.ElementType
	states  []facts.States
	parents []int32
}

func newColumns(tree *facts.Tree) *columns {
	n := tree.Len()
	c := &columns{kinds: make([]facts.ElementType, n), states: make([]facts.States, n), parents: make([]int32, n)}
	for i := range n {
		e := tree.At(i)
		c.kinds[i], c.states[i], c.parents[i] = e.Type, e.States, int32(e.Parent)
	}
	return c
}

// columnPayback is how many times the size of the tree queries look at before
// they get columns, so that one query alone does not pay for what others may
// never use.
const columnPayback = 2

// examined is told how many elements a query looked at without columns. When that
// would have paid for columns, they are made for the next queries.
func (s *Index) examined(work int) {
	if s.work.Add(int64(work)) >= columnPayback*int64(s.tree.Len()) {
		s.columnOnce.Do(func() { s.columns.Store(newColumns(s.tree)) })
	}
}

// pathPayback is columnPayback for the paths, which are dearer.
const pathPayback = 4

// examinedAbove is looked for queries that paths could have answered.
func (s *Index) examinedAbove(work int) {
	if s.paths.Load() == nil && s.pathWork.Add(int64(work)) >= pathPayback*int64(s.tree.Len()) {
		s.pathOnce.Do(func() { s.paths.Store(newTypePaths(s.tree)) })
	}
}

// namesOfKind is an index of the names of one type in the making.
type namesOfKind struct {
	kind  int        // the type, or anyKind for all elements
	work  int        // names that were looked at one by one
	index *nameIndex // nil until it pays
}

const anyKind = -1

// namePayback is how many names can be compared for the price of one name in an
// index: when that many times the elements of a type were looked at, an index
// would have been the cheaper way, and more of the same is to be expected.
const namePayback = 6

// namesOf is the index of the names of a step's type, or nil as long as it would
// not pay; work is how many elements the caller would look at without it.
func (s *Index) namesOf(step *step, work int) *nameIndex {
	kind := anyKind
	if !step.any {
		kind = int(step.kind)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.indexing(kind)
	n.work += work
	if n.index == nil && n.work >= namePayback*s.size(step) {
		n.index = newNameIndex(s.tree, step)
	}
	return n.index
}

// indexing is the index of a type. There are few types, and fewer of them are
// asked for by name.
func (s *Index) indexing(kind int) *namesOfKind {
	for i := range s.names {
		if s.names[i].kind == kind {
			return &s.names[i]
		}
	}
	s.names = append(s.names, namesOfKind{kind: kind})
	return &s.names[len(s.names)-1]
}

// size is how many elements have the type of a step.
func (s *Index) size(step *step) int {
	if step.any {
		return s.tree.Len()
	}
	return len(s.tree.OfType(step.kind))
}

package visual

import (
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/facts"
)

// Scene is what queries are asked about: a tree and its primary element. It
// keeps what queries find out about the tree and other queries can use, so one
// Scene should serve all queries on a tree. It is safe for concurrent use.
type Scene struct {
	tree    *facts.Tree
	primary int // -1 for none

	work       atomic.Int64 // elements that were looked at before there were columns
	columnOnce sync.Once
	columns    atomic.Pointer[columns] // nil until they pay

	nameWork  atomic.Int64 // elements whose names were looked at one by one
	nameOnce  sync.Once
	nameIndex atomic.Pointer[nameIndex] // nil until it pays
}

// NewScene makes a Scene of a tree, which must not be nil. primary is the index
// of the element that `.` means; hasPrimary is false when there is none. The two
// are what facts.Snapshot.Primary returns.
func NewScene(tree *facts.Tree, primary int, hasPrimary bool) *Scene {
	if !hasPrimary || primary < 0 || primary >= tree.Len() {
		primary = -1
	}
	return &Scene{tree: tree, primary: primary}
}

// Tree is the tree of the scene.
func (s *Scene) Tree() *facts.Tree { return s.tree }

// Primary is the index of the primary element; ok is false when there is none.
func (s *Scene) Primary() (element int, ok bool) { return s.primary, s.primary >= 0 }

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

// looked is told how many elements a query looked at without columns. When that
// would have paid for columns, they are made for the next queries.
func (s *Scene) looked(work int) {
	if s.work.Add(int64(work)) >= columnPayback*int64(s.tree.Len()) {
		s.columnOnce.Do(func() { s.columns.Store(newColumns(s.tree)) })
	}
}

// namePayback is how many names can be compared for the price of one name in the
// index: when that many times the size of the tree was looked at, an index would
// have been the cheaper way, and more of the same is to be expected.
const namePayback = 24

// names is the index of names, or nil as long as it would not pay: work is how
// many elements the caller would look at without it.
func (s *Scene) names(work int) *nameIndex {
	if index := s.nameIndex.Load(); index != nil {
		return index
	}
	if s.nameWork.Add(int64(work)) < namePayback*int64(s.tree.Len()) {
		return nil
	}
	s.nameOnce.Do(func() { s.nameIndex.Store(newNameIndex(s.tree)) })
	return s.nameIndex.Load()
}

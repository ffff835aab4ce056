package sparse_test

import (
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/sparse"
)

func TestSet(t *testing.T) {
	s := sparse.New(5, 0)
	for _, c := range []struct {
		n   uint32
		new bool
	}{{3, true}, {0, true}, {3, false}, {4, true}, {0, false}} {
		if got := s.Add(c.n); got != c.new {
			t.Errorf("Add(%d) = %v", c.n, got)
		}
	}
	if want := []uint32{3, 0, 4}; !slices.Equal(s.Dense, want) {
		t.Errorf("%v, want %v", s.Dense, want)
	}
	if !s.Has(0) || s.Has(1) || s.Size() != 5 {
		t.Errorf("Has(0) %v, Has(1) %v, Size %d", s.Has(0), s.Has(1), s.Size())
	}
	s.Clear()
	// 3 was at the first index, which another number takes now.
	if s.Add(1); s.Has(3) || s.Has(0) || !s.Has(1) {
		t.Errorf("after Clear: %v", s.Dense)
	}
}

package uitree

import (
	"slices"
	"testing"
)

// TestDocumentOrder: parents come first, what was not read is left out with all
// that is in it, and the window is never left out.
func TestDocumentOrder(t *testing.T) {
	children := [][]int{{2, 1}, {3}, {4}, nil, nil}
	for _, tt := range []struct {
		n      int
		unread []int
		want   []int
	}{
		{5, nil, []int{0, 2, 4, 1, 3}},
		{5, []int{2}, []int{0, 1, 3}},
		{5, []int{0, 3}, []int{0, 2, 4, 1}},
		{0, nil, []int{}},
	} {
		got := DocumentOrder(tt.n, func(i int) ([]int, bool) { return children[i], !slices.Contains(tt.unread, i) })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%d without %v: %v, want %v", tt.n, tt.unread, got, tt.want)
		}
	}
}

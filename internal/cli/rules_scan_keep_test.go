package cli

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFirstOf: the first values are kept, in whatever order they come, and all are counted.
func TestFirstOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	for _, most := range []int{1, 2, 10} {
		for n := range 4 * most {
			for range 5 {
				f := firstOf[int]{most: most, order: cmp.Compare[int]}
				for _, x := range random.Perm(n) {
					f.add(x)
				}
				var want []int
				for x := range min(n, most) {
					want = append(want, x)
				}
				if got := f.sorted(); !slices.Equal(got, want) || f.all != n || cap(f.list) > 4*most {
					t.Fatalf("the first %d of %d: %v of %d, capacity %d", most, n, got, f.all, cap(f.list))
				}
			}
		}
	}
}

// TestScanUndecidedNotListed: what may have been missed is listed for the user's own rules first, and the rest is counted.
func TestScanUndecidedNotListed(t *testing.T) {
	s := newScanner(nil, nil, nil, false)
	for i := range maxScanUndecided + 5 {
		s.undecided.add(scanUndecided{File: "a", trigger: i, own: i >= maxScanUndecided})
	}
	report := s.report()
	if n := len(report.Undecided); n != maxScanUndecided || report.NotListed.Undecided != 5 || !report.Undecided[n-1].own || report.Undecided[n-6].own {
		t.Errorf("%d, %+v", n, report.NotListed)
	}
	if len(scanNotices(report)) != maxScanUndecided+1 {
		t.Error("SARIF does not tell how many there are")
	}
}

package stream_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestLooksShareApart: expressions that need the backtracking machine share it among themselves, those that package look follows apart
// from them, and those that are only decided earlier by it have no part in it.
func TestLooksShareApart(t *testing.T) {
	kinds := map[string]func(i int) string{
		"refers": func(i int) string { return fmt.Sprintf(`(a|b)%d\1(?:c$|c[^])`, i) },
		"looks":  func(i int) string { return fmt.Sprintf(`a%d(?!b)`, i) },
		"early":  func(i int) string { return fmt.Sprintf(`c%d$|c%d[^]`, i, i) },
		"large":  func(i int) string { return fmt.Sprintf(`key%d(?:[a-z]{90}){90}`, i) },
	}
	const all = 16 << 20
	for _, c := range []struct {
		first, others string
		parts         int64
	}{
		{"refers", "refers", 32},
		{"refers", "looks", 16},
		{"refers", "early", 16},
		{"refers", "large", 32},
		{"looks", "looks", 32},
		{"looks", "refers", 16},
		{"looks", "early", 16},
		{"looks", "large", 16},
		{"large", "large", 32},
	} {
		patterns := slices.Concat(many(16, kinds[c.first]), many(16, func(i int) string { return kinds[c.others](100 + i) }))
		if got := stream.MayTry(compile(t, patterns...), 0); got != all/c.parts {
			t.Errorf("16 that are %s and 16 that are %s: one may take %d steps, want %d", c.first, c.others, got, all/c.parts)
		}
	}
}

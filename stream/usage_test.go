package stream_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/stream"
)

// TestFullToTheLast: what a set may take can be used up, each part of it, and not by one more.
func TestFullToTheLast(t *testing.T) {
	for _, c := range []struct {
		code, verified int
		want           bool
	}{{-1, -1, true}, {0, 0, true}, {1, 0, false}, {0, 1, false}, {1, -1, false}, {-1, 1, false}} {
		if got := stream.Fits(c.code, c.verified); got != c.want {
			t.Errorf("%d instructions and %d of look-around more: %v", c.code, c.verified, got)
		}
	}
	g, bad := glob.CompilePath("src/**/*.go")
	if bad != nil {
		t.Fatal(bad)
	}
	for more, want := range map[int]bool{-1: true, 0: true, 1: false} {
		if got := stream.FitsGlob(g, more); got != want {
			t.Errorf("a glob that is larger by %d: %v", more, got)
		}
	}
}

// TestLookSize: an expression with look-around counts by what it becomes, and one that becomes nothing, since it would be too large, by its
// text alone.
func TestLookSize(t *testing.T) {
	size := func(pattern string) int {
		re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(bad)
		}
		return stream.LookSize(re)
	}
	few, many := size(`a{10}(?=b)`), size(`a{900}(?=b)`)
	if few < 10 || few > 100 || many-few != 890 {
		t.Errorf("%d for ten letters, %d for nine hundred", few, many)
	}
	if none := size(`(?:(?:a{900}){900}){900}(?=b)`); none != 0 {
		t.Errorf("%d for one that is too large", none)
	}
}

package stream_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
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

package gitignore

import (
	"strings"
	"testing"
)

// TestOddIgnorePatterns: brackets in brackets, and patterns longer than most, name what Git takes them for.
func TestOddIgnorePatterns(t *testing.T) {
	for _, c := range []struct {
		line, path string
		want       bool
	}{
		{"a[[]b", "a[b", true},
		{"a[[]b", "ab", false},
		{"a[[x]b", "a[b", true},
		{"a[[x]b", "axb", true},
		{"a[[", "a[[", false},
		{"a[[x", "a[x", false},
		{strings.Repeat("?", 100), strings.Repeat("x", 100), true},
		{strings.Repeat("?", 100), strings.Repeat("x", 99), false},
		{strings.Repeat("?", 63), strings.Repeat("x", 63), true},
		{strings.Repeat("?", 64), strings.Repeat("x", 64), true},
	} {
		if named, _, _ := IgnoredBy(c.line, c.path, false); named != c.want {
			t.Errorf("%.10s names %.10s: %v", c.line, c.path, named)
		}
	}
}

// TestIgnoredOutOfSteps: when a walk has compared as much as it may, no line names anything.
func TestIgnoredOutOfSteps(t *testing.T) {
	line, _ := parsePattern("a")
	for steps, want := range map[int]bool{0: true, maxSteps - 1: true, maxSteps: false} {
		list := &list{lines: []pattern{line}, spent: &effort{steps: steps}}
		if got := list.names("a", false); got != want {
			t.Errorf("after %d steps: %v", steps, got)
		}
	}
}

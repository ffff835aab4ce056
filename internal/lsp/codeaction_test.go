package lsp

import "testing"

// TestTries: the larger a document is, the fewer suggestions are tried in it.
func TestTries(t *testing.T) {
	for _, c := range []struct{ size, found, want int }{
		{0, 1, 20}, {3000, 99, 20}, {64 << 10, 5, 4}, {32 << 20, 5, 1}, {3000, 100, 0},
	} {
		if got := tries(c.size, c.found); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

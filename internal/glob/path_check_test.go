package glob_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
)

// TestCompileAgreesWithExpand: what is counted when a glob is read is what can be written out when it is compared, at the edge
// too: a glob that was accepted never turns out to mean nothing.
func TestCompileAgreesWithExpand(t *testing.T) {
	for _, c := range []struct{ pattern, path string }{
		{strings.Repeat("{a,b}", 10), "abababbaba"},
		{strings.Repeat("{a,b}", 10) + strings.Repeat("x", 40), "abababbaba" + strings.Repeat("x", 40)},
		{strings.Repeat("{abcdefgh,b}", 6) + strings.Repeat("x", 900), "bbbbbb" + strings.Repeat("x", 900)},
		{"{" + strings.Repeat("{a,b},", 511) + "c}", "c"},
		{strings.Repeat("{?}", 5000), strings.Repeat("y", 5000)},
		{strings.Repeat("a", 10_000), strings.Repeat("a", 10_000)},
	} {
		for _, compile := range []func(string) (*glob.Path, *glob.SyntaxError){glob.CompilePath, glob.CompileExtended} {
			p, err := compile(c.pattern)
			if err != nil {
				t.Errorf("%.60q: %v", c.pattern, err)
			} else if !p.Match(c.path) {
				t.Errorf("%.60q does not match %.60q", c.pattern, c.path)
			}
		}
	}
}

// TestCompileCost: reading a glob costs nothing of what writing out its braces would.
func TestCompileCost(t *testing.T) {
	pattern := strings.Repeat("{a,b}", 10)
	if counted := testing.AllocsPerRun(10, func() { _, _ = glob.CompilePath(pattern) }); counted > 200 {
		t.Errorf("%v allocations", counted)
	}
}

package glob_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
)

// TestCheckPath: what is only counted agrees with what is compiled, but at the edge,
// and is never told too light.
func TestCheckPath(t *testing.T) {
	for _, pattern := range []string{
		"", "*.ts", "src/**/*.{ts,tsx}", "{a,b{c,d}}{e,f}", "{a}", "{a,b}c{d}", "[a-z]?/x", "!./a/{b,c}", "./a", "@(a|b)/+(c)", "a[", "{a", "\\", "a\\",
		strings.Repeat("{a,b}", 10), strings.Repeat("{a,b}", 12), strings.Repeat("{a,b}", 60), strings.Repeat("{abcdefgh,abcdefgh}", 9) + strings.Repeat("x", 100),
		strings.Repeat("{a,b,c,d,e,f,g,h}", 5), strings.Repeat("{", 30) + strings.Repeat("}", 30), strings.Repeat("a", 10_000),
	} {
		for _, extended := range []bool{false, true} {
			compile := glob.CompilePath
			if extended {
				compile = glob.CompileExtended
			}
			compiled, want := compile(pattern)
			weight, got := glob.CheckPath(pattern, extended)
			switch {
			case got != nil && want == nil:
				t.Errorf("%.60q: %v, and it compiles", pattern, got)
			case got != nil && *got != *want:
				t.Errorf("%.60q: %v, want %v", pattern, got, want)
			case got == nil && want != nil && !strings.Contains(want.Message, "more than"):
				t.Errorf("%.60q: passes, want %v", pattern, want)
			case want == nil && weight < compiled.Weight():
				t.Errorf("%.60q: weighs %d, compiled %d", pattern, weight, compiled.Weight())
			}
		}
	}
}

// TestCheckPathCost: counting costs nothing of what writing out would.
func TestCheckPathCost(t *testing.T) {
	pattern := strings.Repeat("{a,b}", 10)
	counted := testing.AllocsPerRun(10, func() { _, _ = glob.CheckPath(pattern, false) })
	if counted > 200 {
		t.Errorf("%v allocations", counted)
	}
}

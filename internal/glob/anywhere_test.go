package glob_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
)

// TestMayMatchAny: of a file whose folder is not known, the name decides.
func TestMayMatchAny(t *testing.T) {
	for _, c := range []struct {
		globs, name string
		want        bool
	}{
		{"src/**/*.ts", "a.ts", true},
		{"src/**/*.ts", "a.js", false},
		{"src/a.ts", "a.ts", true},
		{"src/a.ts", "b.ts", false},
		{"src/**", "a", true},
		{"src/{a,b}.ts", "b.ts", true},
		{"*.md src/*.ts", "a.ts", true},
		{"src/** !src/gen/**", "a.ts", true},
		{"!src/**", "a.ts", true},
		{"src/*.ts", "", true}, // any file
	} {
		var globs []*glob.Path
		for pattern := range strings.FieldsSeq(c.globs) {
			g, bad := glob.CompilePath(pattern)
			if bad != nil {
				t.Fatal(bad)
			}
			globs = append(globs, g)
		}
		var names []string
		if c.name != "" {
			names = []string{c.name}
		}
		if got := glob.MayMatchAny(globs, names); got != c.want {
			t.Errorf("%s, %q: %v", c.globs, c.name, got)
		}
	}
}

package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/rule"
)

// TestLibraries: globs of tools that match by picomatch (4.0.7) and minimatch (11.0.7), with the answers of these libraries, dots
// counting as other characters.
func TestLibraries(t *testing.T) {
	pico := &rule.Format{Tool: "Qwen Code", GlobKeys: []string{"globs"}, Extglobs: true, Picomatch: true, Alone: true, Unrooted: true, OnePattern: true}
	mini := &rule.Format{Tool: "Continue", GlobKeys: []string{"globs"}, Extglobs: true, Minimatch: true, Negation: true, OnePattern: true}
	paths := []string{"a.ts", "src/a.ts", "src/a.js", "lib/a.ts", "src/a.t!"}
	for _, test := range []struct{ glob, pico, mini string }{
		{"**/*.(ts|tsx)", "a.ts src/a.ts lib/a.ts", ""},
		{"src/(a|b).ts", "src/a.ts", ""},
		{"(**/*.ts)", "src/a.ts lib/a.ts", ""},
		{"**/*.ts|**/*.js", "a.ts src/a.ts src/a.js lib/a.ts", ""},
		{"a.ts|b.ts", "", ""},
		{"*.js|a.ts", "a.ts", ""},
		{"(src|lib)/a.ts", "src/a.ts lib/a.ts", ""},
		{"src/a.t[!x]", "src/a.t!", "src/a.ts src/a.t!"},
		{"src/a.t[^x]", "src/a.ts src/a.t!", "src/a.ts src/a.t!"},
		{"./src/*.ts", "src/a.ts", ""},
		{"!(src)/**", "a.ts lib/a.ts", "a.ts src/a.ts src/a.js lib/a.ts src/a.t!"},
		{"*.{ts}", "", ""},
		{"**/*.{ts}", "", ""},
		{"**/*.@(ts|js)", "a.ts src/a.ts src/a.js lib/a.ts", "a.ts src/a.ts src/a.js lib/a.ts"},
		{"**/a.ts/**", "a.ts src/a.ts lib/a.ts", ""},
		{"src/**", "src/a.ts src/a.js src/a.t!", "src/a.ts src/a.js src/a.t!"},
	} {
		for format, want := range map[*rule.Format]string{pico: test.pico, mini: test.mini} {
			set := rule.NewSet([]*rule.Rule{read(t, format, "a", "globs: ['"+test.glob+"']", "Body")}, nil, rule.Options{Root: "/w"})
			var got []string
			for _, path := range paths {
				v := set.For([]rule.File{{Path: "/w/" + path}}, true)[0][0]
				if v.Applies {
					got = append(got, path)
				}
				if proposed := strings.Split(v.Note, "`"); strings.Contains(v.Note, "would match this file") {
					other := rule.NewSet([]*rule.Rule{read(t, format, "a", "globs: ['"+proposed[len(proposed)-2]+"']", "Body")}, nil, rule.Options{Root: "/w"})
					if !other.For([]rule.File{{Path: "/w/" + path}}, true)[0][0].Applies {
						t.Errorf("%s, %s for %s: %s", format.Tool, test.glob, path, v.Note)
					}
				}
			}
			if have := strings.Join(got, " "); have != want {
				t.Errorf("%s: %s matches %q, the library %q", format.Tool, test.glob, have, want)
			}
		}
	}
}

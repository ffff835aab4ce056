package discover

import "github.com/pertain-dev/pertain/rule"

func nativeFormat() *format {
	return &format{
		Tool:      "native",
		GlobKeys:  []string{"globs"},
		ModeKey:   "alwaysApply",
		Keys:      []string{"enabled", "interruptMode"},
		BaseName:  true,
		Negation:  true,
		Overrides: true,
		// The rulebook maps every field directly.
		Documented: rule.Normalization{AnyGlobs: true, AnyDescription: true, AnyTrigger: true, AnyAlways: true},
	}
}

// pertain is the rules of `.pertain/rules`, in the form of native ones, and before
// them (docs/reference/rules.md).
func pertain() tool {
	return tool{
		id: "pertain", priority: 101,
		project: []location{{path: ".pertain/rules", exts: []string{".md"}, format: nativeFormat()}},
	}
}

// native is Pertain's own rules, in the folders of the rulebook: the project's, then
// the user's.
func native() tool {
	f := nativeFormat()
	exts := []string{".md", ".mdc"}
	return tool{
		id: "native", priority: 100,
		project: []location{{path: ".omp/rules", exts: exts, format: f}},
		user:    []location{{path: ".omp/agent/rules", exts: exts, format: f}},
		documented: func(s *search) []ruleFile {
			out := s.flat(s.flavor.Join(s.Dir, ".omp/rules"), s.Dir, rule.Project, f, exts...)
			if s.Home != "" {
				out = append(out, s.flat(s.flavor.Join(s.Home, ".omp/agent/rules"), s.root, rule.User, f, exts...)...)
			}
			return out
		},
	}
}

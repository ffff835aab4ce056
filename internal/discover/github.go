package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// github is GitHub Copilot's instructions.
func github() tool {
	whole := &format{Tool: "Copilot", Whole: true}
	f := &format{
		Tool:     "Copilot",
		GlobKeys: []string{"applyTo"},
		Keys:     []string{"excludeAgent", "name"},
		Activate: applyToAll,
	}
	exts := []string{".instructions.md"}
	return tool{
		id: "github", priority: 30,
		project: []location{
			{path: ".github/copilot-instructions.md", format: whole, always: true},
			{path: ".github/instructions", exts: exts, format: f},
		},
		user: []location{{path: ".copilot/instructions", exts: exts, format: f}},
		find: func(s *search, t *tool) []ruleFile {
			out := s.usual(t)
			for _, dir := range s.Instructions {
				if s.flavor.IsAbs(dir) {
					p := location{path: s.flavor.Base(dir), exts: exts, format: f}
					out = append(out, s.in(s.flavor.Dir(dir), []location{p}, rule.User, "")...)
				}
			}
			return out
		},
	}
}

// applyToAll: the globs that match everything make a rule always apply.
func applyToAll(f *rule.Fields) rule.Activation {
	everything := func(g string) bool { return g == "**" || g == "*" || g == "**/*" }
	if slices.ContainsFunc(f.Rule().Globs, everything) {
		return rule.AlwaysActive
	}
	return rule.ByFields
}

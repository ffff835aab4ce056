package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// applyToFormat is how Copilot reads its instructions: globs are minimatch, by base
// name, from the root of the repository.
func applyToFormat() *format {
	return &format{
		Tool:        "Copilot",
		GlobKeys:    []string{"applyTo"},
		Keys:        []string{"excludeAgent", "name"},
		BaseName:    true,
		TakesBroken: true,
		Unquoted:    true,
		Alone:       true,
		Unrooted:    true,
		SplitItems:  true,
		Activate:    applyToAll,
	}
}

// github is GitHub Copilot's instructions.
func github() tool {
	whole := &format{Tool: "Copilot", Whole: true}
	f := applyToFormat()
	exts := []string{".instructions.md"}
	return tool{
		id: "github", priority: 30,
		project: []location{
			{path: ".github/copilot-instructions.md", format: whole, located: true, always: true, anyCase: true},
			{path: ".github/instructions", exts: exts, format: f, rootBase: true},
		},
		user: []location{
			{path: ".copilot/copilot-instructions.md", format: whole, always: true, env: "COPILOT_HOME"},
			{path: ".copilot/instructions", exts: exts, format: f, env: "COPILOT_HOME"},
		},
		find: func(s *search, t *tool) []ruleFile {
			return append(s.usual(t), s.instructions(f, exts)...)
		},
	}
}

// instructions are the files of the folders that COPILOT_CUSTOM_INSTRUCTIONS_DIRS
// names, and of `.github/instructions` in them.
func (s *search) instructions(f *format, exts []string) []ruleFile {
	var out []ruleFile
	for _, dir := range s.Instructions {
		if s.flavor.IsAbs(dir) {
			out = append(out, s.in(spot{dir: s.flavor.Dir(dir), level: rule.User}, []location{{path: s.flavor.Base(dir), exts: exts, format: f}})...)
			out = append(out, s.in(spot{dir: dir, level: rule.User}, []location{{path: ".github/instructions", exts: exts, format: f}})...)
		}
	}
	return out
}

// applyToAll: without globs, and with those that match everything, a rule always
// applies.
func applyToAll(f *rule.Fields) rule.Activation {
	everything := func(g string) bool { return g == "**" || g == "*" || g == "**/*" }
	if globs := f.Rule().Globs; len(globs) == 0 || slices.ContainsFunc(globs, everything) {
		return rule.AlwaysActive
	}
	return rule.ByFields
}

package discover

import (
	"github.com/pertain-dev/pertain/rule"
)

func windsurfFormat() *format {
	return &format{
		Tool:          "Windsurf",
		GlobKeys:      []string{"globs"},
		ModeKey:       "trigger",
		Keys:          []string{"alwaysApply"},
		MaxCharacters: 12_000,
		Activate:      windsurfTrigger,
		Documented:    rule.Normalization{AnyDescription: true, AnyAlways: true},
	}
}

// windsurfTrigger reads `trigger`, which Antigravity has too.
func windsurfTrigger(f *rule.Fields) rule.Activation {
	switch f.Word("trigger", "always_on", "glob", "model_decision", "manual") {
	case "always_on":
		return rule.AlwaysActive
	case "model_decision":
		return rule.OnDescription
	case "manual":
		return rule.Manual
	}
	return rule.ByFields
}

// unlessSilent: a file without frontmatter is always on.
func unlessSilent(otherwise func(*rule.Fields) rule.Activation) func(*rule.Fields) rule.Activation {
	return func(fields *rule.Fields) rule.Activation {
		if !fields.Present {
			return rule.AlwaysActive
		}
		return otherwise(fields)
	}
}

// windsurf is Windsurf's and Devin's rules. The user's file comes first (docs/reference/rules.md).
func windsurf() tool {
	f := windsurfFormat()
	old := legacy("Windsurf")
	old.MaxCharacters = f.MaxCharacters
	exts := []string{".md"}
	whole := windsurfFormat()
	whole.Activate = unlessSilent(windsurfTrigger)
	// The rulebook gives it this name (docs/reference/rules.md). Windsurf applies it in all workspaces.
	global := location{path: ".codeium/windsurf/memories/global_rules.md", name: "global_rules", format: whole, ownName: true}
	return tool{
		id: "windsurf", priority: 50, userFirst: true,
		project: []location{
			{path: ".devin/rules", exts: exts, format: f},
			{path: ".windsurf/rules", exts: exts, format: f},
			{path: ".windsurfrules", name: "windsurfrules", format: old, always: true},
		},
		user: []location{global},
		documented: func(s *search) []ruleFile {
			var out []ruleFile
			if s.Home != "" {
				if _, ok := s.kind(s.Home, global.path, rule.User); ok {
					out = append(out, s.single(spot{dir: s.Home, level: rule.User}, &global))
				}
			}
			return append(out, s.flat(s.flavor.Join(s.Dir, ".windsurf/rules"), s.Dir, rule.Project, f, exts...)...)
		},
	}
}

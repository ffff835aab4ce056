package discover

import (
	"github.com/pertain-dev/pertain/internal/files"
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
		Documented:    rule.Normalization{AnyDescription: true, Always: rule.AlwaysAny},
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

// windsurf is Windsurf's and Devin's rules. The user's file comes first (RB §4).
func windsurf() tool {
	f := windsurfFormat()
	old := legacy("Windsurf")
	old.MaxCharacters = f.MaxCharacters
	exts := []string{".md"}
	const memories = ".codeium/windsurf/memories/global_rules.md"
	global := func(s *search) []ruleFile {
		if s.Home == "" {
			return nil
		}
		if _, ok := s.kind(s.Home, memories, rule.User); !ok {
			return nil
		}
		o := rule.Origin{Level: rule.User, Name: "global_rules", Base: s.slash(s.root)}
		return []ruleFile{{path: s.flavor.Join(s.Home, memories), within: files.Anywhere(), origin: o, format: f}}
	}
	return tool{
		id: "windsurf", priority: 50,
		project: []location{
			{path: ".devin/rules", exts: exts, format: f},
			{path: ".windsurf/rules", exts: exts, format: f},
			{path: ".windsurfrules", name: "windsurfrules", format: old, always: true},
		},
		find: func(s *search, t *tool) []ruleFile {
			return append(global(s), s.usual(t)...)
		},
		documented: func(s *search) []ruleFile {
			return append(global(s), s.flat(s.flavor.Join(s.Dir, ".windsurf/rules"), s.Dir, rule.Project, f, exts...)...)
		},
	}
}

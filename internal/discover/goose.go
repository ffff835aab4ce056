package discover

import "github.com/pertain-dev/pertain/rule"

// goose is Goose's hints at each level; `AGENTS.md`, which it reads too, is
// found there.
func goose() tool {
	f := &format{Tool: "Goose", Whole: true}
	return tool{
		id: "goose", priority: 12,
		project: []location{{path: ".goosehints", format: f, located: true, always: true, imports: true}},
		find: func(s *search, t *tool) []ruleFile {
			out := s.usual(t)
			if s.ConfigHome != "" {
				p := location{path: "goose/.goosehints", format: f, always: true, imports: true}
				out = append(out, s.in(s.ConfigHome, []location{p}, rule.User, "")...)
			}
			return out
		},
	}
}

package discover

import "github.com/pertain-dev/pertain/rule"

// zedFiles is what Zed looks for; the first that is there is the only one.
var zedFiles = []string{
	".rules", ".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md",
	"AGENT.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md",
}

// zed is Zed's one file. Where that is another tool's, it is found there and
// not listed twice.
func zed() tool {
	f := &format{Tool: "Zed", Whole: true}
	own := []location{
		{path: ".rules", name: ".rules", format: f, located: true, always: true},
		{path: "AGENT.md", format: f, located: true, always: true},
	}
	return tool{
		id: "zed", priority: 16,
		project: own,
		user:    []location{{path: "zed/AGENTS.md", name: "zed/AGENTS", format: f, always: true, config: true}},
		find: func(s *search, t *tool) []ruleFile {
			var out []ruleFile
			for _, at := range s.spots() {
				out = append(out, s.firstOf(at, zedFiles, own[:1])...)
				out = append(out, s.in(at, own[1:])...) // other agents read it, too
			}
			return append(out, append(s.aboveRules(t), s.users(t)...)...)
		},
	}
}

// firstOf takes the first of several paths that is there, if it is one of the
// tool's own locations.
func (s *search) firstOf(at spot, paths []string, own []location) []ruleFile {
	for _, path := range paths {
		if _, ok := s.kind(at.dir, path, rule.Project); !ok {
			continue
		}
		for i := range own {
			if own[i].path == path {
				return s.in(at, own[i:i+1])
			}
		}
		return nil
	}
	return nil
}

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
		{path: ".rules", name: "rules", format: f, located: true, always: true},
		{path: "AGENT.md", format: f, located: true, always: true},
	}
	return tool{
		id: "zed", priority: 16,
		project: own,
		find: func(s *search, _ *tool) []ruleFile {
			var out []ruleFile
			for _, dir := range append(append([]string(nil), s.chain...), s.below...) {
				out = append(out, s.firstOf(dir, zedFiles, own)...)
			}
			return out
		},
	}
}

// firstOf takes the first of several paths that is there, if it is one of the
// tool's own locations.
func (s *search) firstOf(dir string, paths []string, own []location) []ruleFile {
	for _, path := range paths {
		if _, ok := s.kind(dir, path, rule.Project); !ok {
			continue
		}
		for i := range own {
			if own[i].path == path {
				return s.in(dir, own[i:i+1], rule.Project, "")
			}
		}
		return nil
	}
	return nil
}

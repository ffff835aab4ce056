package discover

// junieFiles is what Junie looks for; the first that is there counts.
var junieFiles = []string{".junie/AGENTS.md", "AGENTS.md", ".junie/guidelines.md", ".junie/guidelines"}

// junie is Junie's guidelines. Where they are `AGENTS.md`, that is found there
// and not listed twice.
func junie() tool {
	f := &format{Tool: "Junie", Whole: true}
	own := []location{
		{path: ".junie/AGENTS.md", name: ".junie/AGENTS", format: f, located: true, always: true},
		{path: ".junie/guidelines.md", name: ".junie/guidelines", format: f, located: true, always: true},
		{path: ".junie/guidelines", exts: []string{".md"}, format: f, always: true},
	}
	return tool{
		id: "junie", priority: 14,
		project: own,
		find: func(s *search, _ *tool) []ruleFile {
			var out []ruleFile
			for _, dir := range append(append([]string(nil), s.chain...), s.below...) {
				out = append(out, s.firstOf(dir, junieFiles, own)...)
			}
			return out
		},
	}
}

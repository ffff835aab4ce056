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
		user:    []location{{path: ".junie/AGENTS.md", name: ".junie/AGENTS", format: f, always: true}},
		find: func(s *search, t *tool) []ruleFile {
			var out []ruleFile
			for _, at := range s.spots() {
				out = append(out, s.firstOf(at, junieFiles, own)...)
			}
			return append(out, s.users(t)...)
		},
	}
}

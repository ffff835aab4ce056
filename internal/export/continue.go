package export

// continueDev: `alwaysApply`, else globs, which may take files out, else a description. Its command line loads nothing but what
// is always on.
func continueDev() Form {
	return Form{
		Agent: "continue", Path: ".continue/rules", End: ".md", Deep: true,
		User:   ".continue/rules",
		Always: "`alwaysApply: true`", Globs: "`globs`", Except: "`!`", Description: "`description`, `alwaysApply: false`", Manual: "`alwaysApply: false`",
		CommandLine: "Continue's command line never loads such a rule; its editor extension does",
		dialect:     dialect{extended: true},
		fields: func(p *placed) []field {
			out := []field{text("name", oneLine(p.Name))}
			if p.as == Manual && p.Description != "" {
				p.lose("description", "a manual rule has none; with one the model could ask for it")
				p.Description = ""
			}
			out = append(out, described(p.Description)...)
			if p.as == ByGlobs {
				out = append(out, texts("globs", withExcept(p)))
			}
			if p.as == Always {
				return append(out, word("alwaysApply", "true"))
			}
			return append(out, word("alwaysApply", "false"))
		},
	}
}

// withExcept are the globs of a rule and those that take files out.
func withExcept(p *placed) []string {
	out := append([]string(nil), p.globs...)
	for _, g := range p.except {
		out = append(out, "!"+g)
	}
	return out
}

package export

// cline: `paths`; a rule that says nothing is always on. Its command line loads all of them.
func cline() Form {
	return Form{
		Agent: "cline", Path: ".clinerules", End: ".md",
		User:   ".cline/rules",
		Always: "no fields", Globs: "`paths`", Description: "`description` alone",
		CommandLine: "Cline's command line loads every rule always; its editor extension heeds the fields",
		dialect:     dialect{extended: true},
		fields: func(p *placed) []field {
			out := described(p.Description)
			switch {
			case p.as == ByGlobs:
				out = append(out, texts("paths", p.globs))
			case p.as == Always && p.Description != "":
				out = append(out, word("alwaysApply", "true"))
			}
			return out
		},
	}
}

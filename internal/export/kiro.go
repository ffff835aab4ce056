package export

// kiro says by `inclusion` when a steering file applies.
func kiro() Form {
	return Form{
		Agent: "kiro", Path: ".kiro/steering", End: ".md",
		User:   ".kiro/steering",
		Always: "`inclusion: always`", Globs: "`inclusion: fileMatch`, `fileMatchPattern`", Description: "`inclusion: auto`", Manual: "`inclusion: manual`",
		fields: func(p *placed) []field {
			out := []field{word("inclusion", [...]string{"always", "fileMatch", "auto", "manual", "manual"}[p.as])}
			if p.as == ByDescription { // it needs both
				out = append(out, text("name", fileName(p.Name, false)))
			}
			out = append(out, described(p.Description)...)
			if p.as == ByGlobs {
				out = append(out, oneOrMore("fileMatchPattern", p.globs))
			}
			return out
		},
	}
}

package export

import "strings"

// windsurf says by `trigger` when a rule applies.
func windsurf() Form {
	return Form{
		Agent: "windsurf", Path: ".windsurf/rules", End: ".md", Memory: []string{".windsurfrules"},
		User:   ".codeium/windsurf/memories/global_rules.md",
		Always: "`trigger: always_on`", Globs: "`trigger: glob`, `globs`", Description: "`trigger: model_decision`", Manual: "`trigger: manual`",
		fields: func(p *placed) []field {
			out := []field{word("trigger", [...]string{"always_on", "glob", "model_decision", "manual", "manual"}[p.as])}
			out = append(out, described(p.Description)...)
			if p.as == ByGlobs {
				out = append(out, text("globs", strings.Join(p.globs, ",")))
			}
			return out
		},
	}
}

package export

import "strings"

// copilot: `applyTo`; what matches everything is always on.
func copilot() Form {
	return Form{
		Agent: "copilot", Path: ".github/instructions", End: ".instructions.md", Deep: true,
		User: ".copilot/instructions", Env: "COPILOT_HOME",
		Memory: []string{".github/copilot-instructions.md"}, UserMemory: []string{".copilot/copilot-instructions.md"},
		Always: "`applyTo: \"**\"`", Globs: "`applyTo`",
		dialect: dialect{baseName: true, anywhere: true, all: true},
		fields: func(p *placed) []field {
			out := described(p.Description)
			if p.as == ByGlobs {
				return append(out, text("applyTo", strings.Join(p.globs, ",")))
			}
			return append(out, text("applyTo", "**"))
		},
	}
}

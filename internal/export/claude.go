package export

// claude: a rule without paths is loaded at the start. A description is kept, but nobody asks by it.
func claude() Form {
	return Form{
		Agent: "claude", Path: ".claude/rules", End: ".md", Deep: true,
		User: ".claude/rules", Env: "CLAUDE_CONFIG_DIR",
		Memory: []string{"CLAUDE.md", ".claude/CLAUDE.md"}, UserMemory: []string{".claude/CLAUDE.md"},
		Always: "no `paths`", Globs: "`paths`, as lines of .gitignore, without case",
		dialect: dialect{gitignore: true},
		fields:  byPaths,
	}
}

// qwen reads the same fields with globs of another kind.
func qwen() Form {
	return Form{
		Agent: "qwen", Path: ".qwen/rules", End: ".md", Deep: true,
		User:   ".qwen/rules",
		Memory: []string{"QWEN.md"}, UserMemory: []string{".qwen/QWEN.md"},
		Always: "no `paths`", Globs: "`paths`",
		dialect: dialect{extended: true},
		fields:  byPaths,
	}
}

func byPaths(p *placed) []field {
	out := described(p.Description)
	if p.as == ByGlobs {
		out = append(out, texts("paths", p.globs))
	}
	return out
}

package agent

// The agents whose requests were looked at: each was run for one turn against a
// scripted model, with a marker in every location.

func claude() Agent {
	const where = Above | Chain | Below
	rules := Location{Path: ".claude/rules", Exts: markdown, Deep: true, Where: where, Reading: ByPaths, Globs: Gitignore, Base: BaseWork}
	own := rules
	own.Where, own.Env = Home, "CLAUDE_CONFIG_DIR"
	memory := func(path string) Location { return Location{Path: path, Where: where, Reading: Stripped} }
	user := func(path string) Location {
		return Location{Path: path, Where: Home, Env: "CLAUDE_CONFIG_DIR", Reading: Stripped}
	}
	return Agent{
		Name: "claude", Title: "Claude Code", Program: "claude", Package: "@anthropic-ai/claude-code",
		Version: "2.1.325", Source: "https://code.claude.com/docs/en/memory",
		Skills: []Location{
			{Path: ".claude/skills", Where: Root | Work | Below},
			{Path: ".claude/skills", Where: Home, Env: "CLAUDE_CONFIG_DIR"},
		},
		Groups: []Group{
			every(Location{Path: "/etc/claude-code/CLAUDE.md", Where: System, Reading: Stripped, Source: "https://code.claude.com/docs/en/memory"}),
			first(user(".claude/CLAUDE.md"), user(".claude/AGENTS.md")),
			every(own),
			{Pick: OneKind, Kinds: [][]Location{
				{memory("CLAUDE.md"), memory(".claude/CLAUDE.md"), memory("CLAUDE.local.md")},
				{memory("AGENTS.md"), memory(".claude/AGENTS.md")},
			}},
			every(rules),
		},
		Bare:    ToTop,
		Imports: Imports{Levels: 4, Bold: true, Absolute: true, Escapes: true, DropsComments: true},
		Touch:   Touch{Read: true, Write: true, Edit: true, Shell: true},
		Broken:  Broken{BlankIsText: true, QuoteIsLost: true},
	}
}

func codex() Agent {
	user := func(path string) Location { return Location{Path: path, Where: Home, Env: "CODEX_HOME"} }
	return Agent{
		Name: "codex", Title: "Codex", Program: "codex", Package: "@openai/codex",
		Version: "0.166.0", Source: "https://developers.openai.com/codex/guides/agents-md",
		Skills: skills(Root|Work, ".agents/skills", ".codex/skills").and(Home, ".agents/skills", ".codex/skills"),
		Groups: []Group{
			first(user(".codex/AGENTS.override.md"), user(".codex/AGENTS.md")),
			first(file("AGENTS.override.md", Chain), file("AGENTS.md", Chain)),
		},
		Limit: Limit{Bytes: 32 << 10},
		Names: Naming{
			Keys: []string{"project_doc_fallback_filenames"}, Files: []Location{user(".codex/config.toml")}, Of: []string{"AGENTS.md"}, Else: true,
			Source: "https://developers.openai.com/codex/guides/agents-md",
		},
	}
}

func gemini() Agent {
	return Agent{
		Name: "gemini", Title: "Gemini CLI", Program: "gemini", Package: "@google/gemini-cli",
		Version: "0.61.0", Source: "https://geminicli.com/docs/cli/gemini-md/",
		Skills:  skills(Work, ".agents/skills", ".gemini/skills").and(Home, ".agents/skills", ".gemini/skills"),
		Groups:  []Group{every(file(".gemini/GEMINI.md", Home)), every(file("GEMINI.md", Chain|Below))},
		Imports: Imports{Levels: 5, Comments: true, Tildes: true, Absolute: true},
		Touch:   Touch{Read: true, Write: true, Edit: true},
		Names: Naming{
			Keys: []string{"context", "fileName"}, Files: []Location{file(".gemini/settings.json", Home), file(".gemini/settings.json", Work)},
			Of: []string{"GEMINI.md", ".gemini/GEMINI.md"}, Source: "https://geminicli.com/docs/reference/configuration/",
		},
	}
}

func qwen() Agent {
	rules := Location{Path: ".qwen/rules", Exts: markdown, Deep: true, Where: Root, Reading: ByPaths, Globs: Picomatch, Base: BaseRoot}
	own := rules
	own.Where = Home
	return Agent{
		Name: "qwen", Title: "Qwen Code", Program: "qwen", Package: "@qwen-code/qwen-code",
		Version: "0.24.4", Source: "https://qwenlm.github.io/qwen-code-docs/",
		Skills: skills(Work, ".agents/skills", ".qwen/skills").and(Home, ".agents/skills", ".qwen/skills"),
		Groups: []Group{
			every(file(".qwen/QWEN.md", Home)), every(file("QWEN.md", OneAbove|Chain)),
			every(file(".qwen/AGENTS.md", Home)), every(file("AGENTS.md", OneAbove|Chain)),
			every(own), every(rules),
		},
		Bare:    ToTop,
		Imports: Imports{Levels: 5, Memory: true, Comments: true, Absolute: true},
		Touch:   Touch{Read: true, Write: true},
		Broken:  Broken{BlankIsText: true, QuoteIsLost: true},
	}
}

func opencode() Agent {
	const where = Chain | Below
	return Agent{
		Name: "opencode", Title: "OpenCode", Program: "opencode", Package: "opencode-ai",
		Version: "1.18.33", Source: "https://opencode.ai/docs/rules/",
		Skills: skills(Root|Work, ".agents/skills", ".opencode/skills", ".opencode/skill", ".claude/skills").
			and(Home, ".agents/skills", ".opencode/skills", ".claude/skills").and(Config, "opencode/skills", "opencode/skill"),
		Groups: []Group{
			{Pick: OneKind, Kinds: [][]Location{{file("AGENTS.md", where)}, {file("CLAUDE.md", where)}, {file("CONTEXT.md", where)}}},
			{Pick: OneKind, Kinds: [][]Location{{file("opencode/AGENTS.md", Config)}, {file(".claude/CLAUDE.md", Home)}}},
			every(
				Location{Path: "opencode.json", Where: Root | Work, Reading: Settings},
				Location{Path: "opencode.jsonc", Where: Root | Work, Reading: Settings},
				Location{Path: "opencode/opencode.json", Where: Config, Reading: Settings, Source: "https://opencode.ai/docs/rules/"},
			),
		},
		NearestFirst: true,
		Bare:         ToTop,
		Touch:        Touch{Read: true},
	}
}

func copilot() Agent {
	const memory = Chain | Below
	const rules = Root | Work | Below
	instructions := Location{Path: ".github/instructions", Exts: []string{".instructions.md"}, Deep: true, Where: rules, Reading: ByApplyTo, Globs: BaseName, Base: BaseRoot}
	own := instructions
	own.Path, own.Where, own.Env = ".copilot/instructions", Home, "COPILOT_HOME"
	return Agent{
		Name: "copilot", Title: "Copilot CLI", Program: "copilot", Package: "@github/copilot",
		Version: "1.0.102", Source: "https://docs.github.com/en/copilot/how-tos/configure-custom-instructions",
		Skills: skills(Root|Work, ".agents/skills", ".github/skills", ".claude/skills").and(Home, ".agents/skills", ".copilot/skills"),
		Groups: []Group{
			every(Location{Path: ".copilot/copilot-instructions.md", Where: Home, Env: "COPILOT_HOME"}),
			every(own),
			every(file(".github/copilot-instructions.md", memory), file("AGENTS.md", memory), file("CLAUDE.md", memory), file("GEMINI.md", memory),
				file(".claude/CLAUDE.md", Below)),
			every(instructions),
			every(Location{Path: ".claude/rules", Exts: markdown, Deep: true, Where: rules, Reading: ByPaths, Globs: BaseName, Base: BaseRoot}),
		},
		FoldNames: true,
		Imports:   Imports{Levels: 8, Memory: true, Wrapped: true, Stop: true, Comments: true},
		Touch:     Touch{Read: true},
		Broken:    Broken{BlankIsText: true, QuoteIsLost: true},
	}
}

func pi() Agent {
	return Agent{
		Name: "pi", Title: "pi", Program: "pi", Package: "@mariozechner/pi-coding-agent",
		Version: "0.73.1", Source: "https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent",
		Skills: append(skills(Root|Work, ".agents/skills"), skills(Work, ".pi/skills").and(Home, ".agents/skills", ".pi/agent/skills")...),
		Groups: []Group{
			first(file(".pi/agent/AGENTS.md", Home), file(".pi/agent/CLAUDE.md", Home)),
			first(file("AGENTS.md", Above|Chain), file("CLAUDE.md", Above|Chain)),
			{Pick: OneKind, Kinds: [][]Location{{file(".pi/APPEND_SYSTEM.md", Work)}, {file(".pi/agent/APPEND_SYSTEM.md", Home)}}},
		},
		Bare: ToTop,
	}
}

func omp() Agent {
	rules := func(path string, where Where, exts ...string) Location {
		return Location{Path: path, Exts: exts, Where: where, Reading: Omp}
	}
	nearest := func(path string) Location { return Location{Path: path, Where: Chain, Nearest: true} }
	clines := rules(".clinerules", Chain, ".md")
	clines.Nearest = true
	return Agent{
		Name: "omp", Title: "oh-my-pi", Program: "omp", Package: "@oh-my-pi/pi-coding-agent",
		Version: "18.2.3", Source: "https://github.com/can1357/oh-my-pi",
		Skills: skills(Root|Work, ".agents/skills", ".omp/skills", ".claude/skills", ".agent/skills").and(Work, ".codex/skills", ".github/skills", ".opencode/skills").
			and(Home, ".agents/skills", ".omp/agent/skills", ".agent/skills"),
		Groups: []Group{
			{Pick: OneKind, Kinds: [][]Location{{file(".omp/agent/AGENTS.md", Home)}, {file(".agents/AGENTS.md", Home)}, {file(".agent/AGENTS.md", Home)}}},
			first(
				nearest(".omp/AGENTS.md"), file(".claude/CLAUDE.md", Work), file(".agents/AGENTS.md", Chain), file(".agent/AGENTS.md", Chain),
				file("AGENTS.md", OneAbove|Chain), file("CLAUDE.md", OneAbove|Chain), file(".gemini/GEMINI.md", Work), file(".github/copilot-instructions.md", Work),
			),
			every(file(".omp/agent/RULES.md", Home), nearest(".omp/RULES.md"), file(".omp/APPEND_SYSTEM.md", Work)),
			every(rules(".omp/rules", Work, ".md", ".mdc")),
			every(rules(".omp/agent/rules", Home, ".md", ".mdc")),
			every(rules(".cursor/rules", Work, ".mdc", ".md")),
			every(rules(".windsurf/rules", Work, ".md")),
			every(clines),
			every(rules(".agents/rules", Chain, ".md", ".mdc"), rules(".agent/rules", Chain, ".md", ".mdc")),
			every(rules(".agent/rules", Home, ".md", ".mdc")),
			every(Location{Path: ".github/instructions", Exts: []string{".instructions.md"}, Where: Work, Reading: OmpGlobs}),
		},
		OneName: true,
		Bare:    ToHome,
		Imports: Imports{Levels: 5, Memory: true, Stop: true, Comments: true, Outside: true, Absolute: true},
		Off: Off{
			Keys:   []string{"ttsr", "disabledRules"},
			Files:  []Location{file(".omp/agent/config.yaml", Home), file(".omp/agent/config.yml", Home), file(".omp/settings.json", Work), file(".omp/config.yml", Work)},
			Source: "https://github.com/can1357/oh-my-pi/blob/main/docs/settings.md",
		},
	}
}

func cline() Agent {
	exts := []string{".txt", ".md", ".markdown"}
	rules := func(path string, where Where) Location {
		return Location{Path: path, Exts: exts, Where: where, Reading: Stripped}
	}
	return Agent{
		Name: "cline", Title: "Cline CLI", Program: "cline", Package: "cline",
		Version: "3.0.65", Source: "https://docs.cline.bot/customization/cline-rules",
		Skills: skills(Root, ".agents/skills", ".clinerules/skills", ".cline/skills").and(Home, ".agents/skills", ".cline/skills"),
		Groups: []Group{
			every(rules(".cline/rules", Home), rules("Documents/Cline/Rules", Home), rules("Cline/Rules", Home)),
			every(Location{Path: ".agents/AGENTS.md", Where: Home, Reading: Stripped}),
			every(rules(".clinerules", Work), Location{Path: ".clinerules", Where: Work, Reading: Stripped}, rules(".cline/rules", Work)),
			every(Location{Path: "AGENTS.md", Where: Work, Reading: Stripped}),
		},
		OneName: true,
	}
}

func continueDev() Agent {
	rules := Location{Path: ".continue/rules", Exts: markdown, Deep: true, Where: Work, Reading: ContinueCLI}
	own := rules
	own.Where = Home
	return Agent{
		Name: "continue", Title: "Continue CLI", Program: "cn", Package: "@continuedev/cli",
		Version: "1.5.47", Source: "https://docs.continue.dev/customize/deep-dives/rules",
		Skills: skills(Work, ".continue/skills", ".claude/skills").and(Home, ".continue/skills"),
		Groups: []Group{
			first(file("AGENTS.md", Work), file("AGENT.md", Work), file("CLAUDE.md", Work)),
			every(rules), every(own),
		},
	}
}

func droid() Agent {
	const where = Chain | Below
	return Agent{
		Name: "droid", Title: "Factory droid", Program: "droid", Package: "@factory/cli",
		Version: "0.225.2", Source: "https://docs.factory.ai/cli/configuration/agents-md",
		Skills: skills(Root|Work|Below, ".agents/skills", ".factory/skills", ".agent/skills").and(Home, ".agents/skills", ".factory/skills", ".agent/skills"),
		Groups: []Group{
			every(
				file("AGENTS.md", where), file("agents.md", where), file("CLAUDE.md", where), file("Claude.md", where),
				file(".factory/AGENTS.md", where), file(".agents/AGENTS.md", where), file(".agent/AGENTS.md", where),
			),
			every(file(".factory/AGENTS.md", Home), file(".agents/AGENTS.md", Home), file(".agent/AGENTS.md", Home)),
		},
		NearestFirst: true,
		Touch:        Touch{Read: true},
		Limit:        Limit{Characters: 80_000},
	}
}

package agent

// The agents that were not run: what their documents and sources say.

func amazonq() Agent {
	return Agent{
		Name: "amazonq", Title: "Amazon Q Developer", Program: "q",
		Source: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-project-rules.html",
		Groups: []Group{ // README.md, which it reads as well, is no rule
			every(Location{Path: "AmazonQ.md", Where: Work, Source: cliDefaultAgent}, Location{Path: "AGENTS.md", Where: Work, Source: cliDefaultAgent}),
			every(Location{Path: ".amazonq/rules", Exts: markdown, Deep: true, Where: Work, Reading: Own}),
		},
	}
}

// cliDefaultAgent names the files of the agent that Amazon Q's command line starts with.
const cliDefaultAgent = "https://github.com/aws/amazon-q-developer-cli/blob/main/docs/agent-format.md"

func amp() Agent {
	const where = Above | Chain | Below
	return Agent{
		Name: "amp", Title: "Amp", Program: "amp", Package: "@sourcegraph/amp",
		Source: "https://ampcode.com/manual#AGENTS.md",
		Groups: []Group{
			every(file("amp/AGENTS.md", Config), file("AGENTS.md", Config)),
			first(file("AGENTS.md", where), file("AGENT.md", where), file("CLAUDE.md", where)),
		},
		Bare:    ToHome,
		Imports: Imports{Levels: 4, Memory: true, Outside: true, Absolute: true},
		Touch:   Touch{Read: true},
	}
}

func augment() Agent {
	return Agent{
		Name: "augment", Title: "Augment", Program: "auggie", Package: "@augmentcode/auggie",
		Source: "https://docs.augmentcode.com/cli/rules",
		Groups: []Group{
			every(file("CLAUDE.md", Chain|Below)), every(file("AGENTS.md", Chain|Below)), every(file(".augment-guidelines", Root)),
			every(Location{Path: ".augment/rules", Exts: markdown, Deep: true, Where: Root, Reading: Own}),
			every(Location{Path: ".augment/rules", Exts: markdown, Deep: true, Where: Home, Reading: Own}),
		},
		Touch: Touch{Read: true, Edit: true},
	}
}

func crush() Agent {
	// It sorts them by their bytes (internal/config/load.go).
	locations := []Location{{Path: ".cursor/rules", Exts: []string{".mdc", ".md"}, Deep: true, Where: Work}}
	for _, path := range []string{
		".cursorrules", ".github/copilot-instructions.md", "AGENTS.md", "Agents.md", "CLAUDE.local.md", "CLAUDE.md", "CRUSH.local.md", "CRUSH.md",
		"Crush.local.md", "Crush.md", "GEMINI.md", "agents.md", "crush.local.md", "crush.md", "gemini.md",
	} {
		locations = append(locations, file(path, Work))
	}
	return Agent{
		Name: "crush", Title: "Crush", Program: "crush", Package: "@charmland/crush",
		Source: "https://github.com/charmbracelet/crush/blob/main/internal/config/config.go",
		Groups: []Group{every(locations...), every(file("crush/CRUSH.md", Config), file("AGENTS.md", Config))},
	}
}

func cursor() Agent {
	return Agent{
		Name: "cursor", Title: "Cursor", Program: "cursor-agent",
		Source: "https://cursor.com/docs/rules",
		Groups: []Group{ // a plain .md is ignored, its documents say
			every(Location{Path: ".cursor/rules", Exts: []string{".mdc"}, Deep: true, Where: Home, Reading: Own}),
			every(Location{Path: ".cursor/rules", Exts: []string{".mdc"}, Deep: true, Where: Chain | Below, Reading: Own}),
			every(file(".cursorrules", Root|Work), file("AGENTS.md", Chain|Below)),
			every(Location{Path: "CLAUDE.md", Where: Root, Source: "https://cursor.com/docs/cli/using"}),
		},
		Touch: Touch{Read: true, Write: true, Edit: true},
	}
}

func goose() Agent {
	return Agent{
		Name: "goose", Title: "Goose", Program: "goose",
		Source: "https://block.github.io/goose/docs/guides/context-engineering/using-goosehints/",
		Skills: sourced("https://block.github.io/goose/docs/guides/context-engineering/using-skills",
			skills(Work, ".agents/skills", ".goose/skills", ".claude/skills").and(Config, "agents/skills", "goose/skills").and(Home, ".claude/skills")),
		Groups: []Group{
			every(file("goose/AGENTS.md", Config), file("goose/.goosehints", Config)),
			every(file("AGENTS.md", Chain|Below), file(".goosehints", Chain|Below)),
		},
		Imports: Imports{Levels: 3, Memory: true},
		Touch:   Touch{Read: true, Write: true, Edit: true},
	}
}

func junie() Agent {
	return Agent{
		Name: "junie", Title: "Junie", Program: "junie",
		Source: "https://junie.jetbrains.com/docs/guidelines-and-memory.html",
		Groups: []Group{
			every(file(".junie/AGENTS.md", Home)),
			first(
				file(".junie/AGENTS.md", Root), file("AGENTS.md", Root), file(".junie/guidelines.md", Root),
				Location{Path: ".junie/guidelines", Exts: markdown, Deep: true, Where: Root},
			),
		},
	}
}

func kilo() Agent {
	every1 := []string{""}
	return Agent{
		Name: "kilo", Title: "Kilo Code", Program: "kilo", Package: "@kilocode/cli",
		Source: "https://kilo.ai/docs/customize/custom-rules",
		Groups: []Group{
			every(Location{Path: ".kilocode/rules", Exts: every1, Deep: true, Where: Home}, Location{Path: ".kilo/rules", Exts: every1, Deep: true, Where: Home}),
			first(
				Location{Path: ".kilo/rules", Exts: every1, Deep: true, Where: Root}, Location{Path: ".kilocode/rules", Exts: every1, Deep: true, Where: Root},
				file(".roorules", Root), file(".clinerules", Root), file(".kilocoderules", Root),
			),
			first(file("AGENTS.md", Root), file("AGENT.md", Root)),
		},
	}
}

func kiro() Agent {
	return Agent{
		Name: "kiro", Title: "Kiro", Program: "kiro-cli",
		Source: "https://kiro.dev/docs/steering/",
		Groups: []Group{
			every(Location{Path: ".kiro/steering", Exts: markdown, Where: Home, Reading: Own}, file(".kiro/steering/AGENTS.md", Home)),
			every(Location{Path: ".kiro/steering", Exts: markdown, Where: Root, Reading: Own}, file("AGENTS.md", Root)),
		},
		Imports: Imports{Kiro: true},
		Touch:   Touch{Read: true, Edit: true},
	}
}

func roo() Agent {
	any := []string{""}
	return Agent{
		Name: "roo", Title: "Roo Code",
		Source: "https://github.com/RooCodeInc/Roo-Code/blob/main/src/core/prompts/sections/custom-instructions.ts",
		Skills: sourced("https://github.com/RooCodeInc/Roo-Code/blob/main/src/services/skills/SkillsManager.ts", skills(Work, ".roo/skills").and(Home, ".roo/skills")),
		Groups: []Group{
			first(file("AGENTS.md", Work), file("AGENT.md", Work)),
			every(file("AGENTS.local.md", Work)),
			every(Location{Path: ".roo/rules", Exts: any, Deep: true, Where: Home, Reading: Own}),
			first(Location{Path: ".roo/rules", Exts: any, Deep: true, Where: Work, Reading: Own}, file(".roorules", Work), file(".clinerules", Work)),
		},
	}
}

func trae() Agent {
	return Agent{
		Name: "trae", Title: "Trae",
		Source: "https://docs.trae.ai/ide/rules",
		Groups: []Group{
			every(file(".trae/user_rules.md", Home)),
			every(Location{Path: ".trae/rules", Exts: markdown, Deep: true, Where: Root, Reading: Own}),
			every(file("AGENTS.md", Root), file("CLAUDE.md", Root), file("CLAUDE.local.md", Root)),
		},
		Touch: Touch{Read: true, Edit: true},
	}
}

func warp() Agent {
	const where = Root | Work | Below
	return Agent{
		Name: "warp", Title: "Warp", Program: "warp-terminal",
		Source: "https://docs.warp.dev/agents/capabilities/rules",
		Groups: []Group{first(file("WARP.md", where), file("AGENTS.md", where))},
		Touch:  Touch{Write: true, Edit: true},
	}
}

func windsurf() Agent {
	const where = Chain | Below
	return Agent{
		Name: "windsurf", Title: "Windsurf",
		Source: "https://docs.windsurf.com/windsurf/cascade/memories",
		Groups: []Group{
			every(Location{Path: ".codeium/windsurf/memories/global_rules.md", Where: Home, Reading: Own}),
			every(
				Location{Path: ".devin/rules", Exts: markdown, Where: where, Reading: Own}, Location{Path: ".windsurf/rules", Exts: markdown, Where: where, Reading: Own},
				file(".windsurfrules", Root|Work),
			),
			every(
				Location{Path: "AGENTS.md", Where: where, Source: "https://docs.windsurf.com/windsurf/cascade/agents-md"},
				Location{Path: "agents.md", Where: where, Source: "https://docs.windsurf.com/windsurf/cascade/agents-md"},
			),
		},
		Touch: Touch{Read: true, Edit: true},
		Limit: Limit{Characters: 12_000, OfEach: true},
	}
}

func zed() Agent {
	return Agent{
		Name: "zed", Title: "Zed", Program: "zed",
		Source: "https://zed.dev/docs/ai/instructions",
		Groups: []Group{
			every(file("zed/AGENTS.md", Config)),
			first(
				file(".rules", Root), file(".cursorrules", Root), file(".windsurfrules", Root), file(".clinerules", Root), file(".github/copilot-instructions.md", Root),
				file("AGENT.md", Root), file("AGENTS.md", Root), file("CLAUDE.md", Root), file("GEMINI.md", Root),
			),
		},
	}
}

package discover

// agentsMD is `AGENTS.md` in any folder, and Codex's file that overrides it.
// The one nearest to the edited file wins.
func agentsMD() tool {
	f := &format{Tool: "AGENTS.md", Whole: true, NearestWins: true, MaxCharacters: 32 << 10, LimitBy: "Codex"}
	return tool{
		id: "agents-md", priority: 36,
		project: []place{
			{path: "AGENTS.override.md", name: "AGENTS.override", format: f, located: true, always: true},
			{path: "AGENTS.md", format: f, located: true, always: true},
		},
		user: []place{
			{path: ".codex/AGENTS.override.md", name: "AGENTS.override", format: f, always: true},
			{path: ".codex/AGENTS.md", format: f, always: true},
		},
	}
}

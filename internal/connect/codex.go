package connect

func codex() Agent {
	return Agent{
		Name: "codex", Title: "Codex", Program: "codex", Here: []string{".codex"}, Home: []string{".codex"},
		Trust: "Codex skips hooks that nobody has trusted, without a word, and all settings of a project that is not trusted: trust the project (`codex exec --trust`), run /hooks in Codex and trust these",
		connections: []connection{
			{part: Hooks, project: ".codex/hooks.json", user: ".codex/hooks.json", edit: claudeHooks(`"timeout":10`, "SessionStart", "PreToolUse", "PostToolUse", "Stop")},
			{part: MCP, user: ".codex/config.toml", edit: serverTOML{"mcp_servers"}},
		},
	}
}

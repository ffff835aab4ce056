package connect

func droid() Agent {
	return Agent{
		Name: "droid", Title: "Factory droid", Program: "droid", Here: []string{".factory"}, Home: []string{".factory"},
		connections: []connection{
			{part: Hooks, project: ".factory/settings.json", user: ".factory/settings.json", edit: claudeHooks(`"timeout":10`, "SessionStart", "PreToolUse", "PostToolUse")},
			{part: MCP, project: ".factory/mcp.json", user: ".factory/mcp.json", edit: mcpMember("mcpServers", `"type":"stdio",`)},
		},
	}
}

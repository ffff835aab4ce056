package connect

func gemini() Agent {
	return Agent{
		Name: "gemini", Title: "Gemini CLI", Program: "gemini", Here: []string{".gemini", "GEMINI.md"}, Home: []string{".gemini"},
		Trust: "Gemini CLI runs the hooks of a project only in folders that you have trusted there",
		connections: []connection{
			// Its time limit is in milliseconds.
			{part: Hooks, project: ".gemini/settings.json", user: ".gemini/settings.json", edit: claudeHooks(`"name":"pertain","timeout":10000`, "SessionStart", "BeforeTool", "AfterTool", "AfterAgent", "PreCompress")},
			{part: MCP, project: ".gemini/settings.json", user: ".gemini/settings.json", edit: mcpMember("mcpServers", "")},
		},
		environment: []string{".gemini/.env", ".env"},
	}
}

func qwen() Agent {
	return Agent{
		Name: "qwen", Title: "Qwen Code", Program: "qwen", Here: []string{".qwen", "QWEN.md"}, Home: []string{".qwen"},
		connections: []connection{
			{part: Hooks, project: ".qwen/settings.json", user: ".qwen/settings.json", edit: claudeHooks(`"name":"pertain","timeout":10000`, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")},
			{part: MCP, project: ".qwen/settings.json", user: ".qwen/settings.json", edit: mcpMember("mcpServers", "")},
		},
		environment: []string{".qwen/.env", ".env"},
	}
}

package connect

import "fmt"

// Agents that know no hooks, and are connected by MCP alone.

func continueDev() Agent {
	const mark = "# Written by `pertain setup continue`"
	return Agent{
		Name: "continue", Title: "Continue", Program: "cn", Here: []string{".continue"}, Home: []string{".continue"},
		connections: []connection{{part: MCP, project: ".continue/mcpServers/pertain.yaml", user: ".continue/mcpServers/pertain.yaml", edit: ownFile{mark: mark, server: true, text: func(c Caller) string {
			return fmt.Sprintf("%s; `pertain setup continue --undo` removes it.\nname: Pertain\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: pertain\n    command: %s\n    args:\n      - mcp\n", mark, quote(c.Program))
		}}}},
	}
}

func junie() Agent {
	return Agent{
		Name: "junie", Title: "Junie", Program: "junie", Here: []string{".junie"}, Home: []string{".junie"},
		connections: []connection{{part: MCP, project: ".junie/mcp/mcp.json", user: ".junie/mcp/mcp.json", edit: mcpMember("mcpServers", "")}},
	}
}

func kiro() Agent {
	return Agent{
		Name: "kiro", Title: "Kiro", Program: "kiro-cli", Here: []string{".kiro"}, Home: []string{".kiro"},
		connections: []connection{{part: MCP, project: ".kiro/settings/mcp.json", user: ".kiro/settings/mcp.json", edit: mcpMember("mcpServers", "")}},
	}
}

func roo() Agent {
	return Agent{
		Name: "roo", Title: "Roo Code", Here: []string{".roo", ".roorules"},
		connections: []connection{{part: MCP, project: ".roo/mcp.json", edit: mcpMember("mcpServers", "")}},
	}
}

func vscode() Agent {
	return Agent{
		Name: "vscode", Title: "VS Code", Program: "code", Here: []string{".vscode"},
		connections: []connection{{part: MCP, project: ".vscode/mcp.json", edit: mcpMember("servers", `"type":"stdio",`)}},
	}
}

func zed() Agent {
	return Agent{
		Name: "zed", Title: "Zed", Program: "zed", Here: []string{".zed"}, Home: []string{".config/zed"},
		connections: []connection{{part: MCP, project: ".zed/settings.json", user: ".config/zed/settings.json", edit: mcpMember("context_servers", "")}},
	}
}

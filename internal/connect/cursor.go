package connect

import "fmt"

func cursor() Agent {
	return Agent{
		Name: "cursor", Title: "Cursor", Program: "cursor-agent", Here: []string{".cursor", ".cursorrules"}, Home: []string{".cursor"},
		connections: []connection{
			{part: Hooks, project: ".cursor/hooks.json", user: ".cursor/hooks.json", edit: settingsJSON{
				start: map[string]string{"version": "1"}, entries: plainHooks("", "sessionStart", "preToolUse", "postToolUse", "preCompact"),
			}},
			{part: MCP, project: ".cursor/mcp.json", user: ".cursor/mcp.json", edit: mcpMember("mcpServers", "")},
		},
	}
}

func windsurf() Agent {
	return Agent{
		Name: "windsurf", Title: "Windsurf", Here: []string{".windsurf", ".windsurfrules"}, Home: []string{".codeium/windsurf"},
		connections: []connection{
			{part: Hooks, project: ".windsurf/hooks.json", user: ".codeium/windsurf/hooks.json", edit: settingsJSON{
				entries: plainHooks(`,"show_output":false`, "pre_write_code", "pre_run_command", "pre_mcp_tool_use"),
			}},
			{part: MCP, user: ".codeium/windsurf/mcp_config.json", edit: mcpMember("mcpServers", "")},
		},
	}
}

// plainHooks are hooks as lists of commands, one list an event.
func plainHooks(more string, events ...string) func(Caller) []jsonEntry {
	return func(c Caller) []jsonEntry {
		var out []jsonEntry
		for _, event := range events {
			out = append(out, jsonEntry{path: []string{"hooks", event}, value: fmt.Sprintf(`{"command":%s%s}`, quote(c.hook("")), more)})
		}
		return out
	}
}

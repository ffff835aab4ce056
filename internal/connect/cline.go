package connect

import "fmt"

func cline() Agent {
	a := Agent{Name: "cline", Title: "Cline", Program: "cline", Here: []string{".clinerules"}, Home: []string{".cline", "Documents/Cline"}}
	for _, event := range []string{"TaskStart", "TaskResume", "PreToolUse", "PostToolUse", "PreCompact"} {
		a.connections = append(a.connections, connection{
			part: Hooks, project: ".clinerules/hooks/" + event, user: "Documents/Cline/Hooks/" + event, edit: ownFile{mark: clineMark, text: func(c Caller) string {
				return fmt.Sprintf("#!/bin/sh\n%s; `pertain setup cline --undo` removes it.\nexec %s\n", clineMark, c.hook(event))
			}},
		})
	}
	// The folder of its program; the one of its extension for editors is theirs.
	a.connections = append(a.connections, connection{part: MCP, user: ".cline/data/settings/cline_mcp_settings.json", edit: mcpMember("mcpServers", "")})
	return a
}

const clineMark = "# Written by `pertain setup cline`"

package connect

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed opencode.js
var opencodePlugin string

//go:embed pi.ts
var piPlugin string

func opencode() Agent {
	return Agent{
		Name: "opencode", Title: "OpenCode", Program: "opencode", Here: []string{".opencode", "opencode.json", "opencode.jsonc"}, Home: []string{".config/opencode"},
		connections: []connection{
			{part: Hooks, project: ".opencode/plugin/pertain.js", user: ".config/opencode/plugin/pertain.js", edit: pluginFile(opencodePlugin)},
			{part: MCP, project: "opencode.json", user: ".config/opencode/opencode.json", others: []string{"opencode.jsonc"}, edit: settingsJSON{entries: func(c Caller) []jsonEntry {
				return []jsonEntry{{path: []string{"mcp"}, name: "pertain", value: fmt.Sprintf(`{"type":"local","command":[%s,"mcp"],"enabled":true}`, quote(c.Program))}}
			}}},
		},
	}
}

// pi has no MCP.
func pi() Agent {
	return Agent{
		Name: "pi", Title: "pi", Program: "pi", Here: []string{".pi"}, Home: []string{".pi"},
		connections: []connection{{part: Hooks, user: ".pi/agent/extensions/pertain.ts", edit: pluginFile(piPlugin)}},
	}
}

// pluginFile is a plugin that calls the hook. What it holds of this call is the program.
func pluginFile(text string) ownFile {
	return ownFile{mark: "// Written by `pertain setup", text: func(c Caller) string {
		flags := "[]"
		if c.FailClosed {
			flags = `["--fail-closed"]`
		}
		return strings.NewReplacer("PERTAIN_PROGRAM", quote(c.Program), "PERTAIN_FLAGS", flags).Replace(text)
	}}
}

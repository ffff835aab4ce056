package connect

import "fmt"

func copilot() Agent {
	return Agent{
		Name: "copilot", Title: "Copilot CLI", Program: "copilot", Here: []string{".github/hooks", ".github/copilot-instructions.md", ".github/instructions"}, Home: []string{".copilot"},
		Trust: "Copilot CLI runs hooks only in folders that you have trusted there",
		connections: []connection{
			{part: Hooks, project: ".github/hooks/pertain.json", user: ".copilot/hooks/pertain.json", edit: settingsJSON{start: map[string]string{"version": "1"}, entries: copilotHooks}},
			{part: MCP, user: ".copilot/mcp-config.json", edit: settingsJSON{entries: func(c Caller) []jsonEntry {
				return []jsonEntry{{path: []string{"mcpServers"}, name: "pertain", value: fmt.Sprintf(`{"type":"local","command":%s,"args":["mcp"],"tools":["*"]}`, quote(c.Program))}}
			}}},
		},
	}
}

// copilotHooks are written for both kinds of shell. A hook that fails there denies every call, so that the command ends well
// whatever happens, unless that is what the user wants.
func copilotHooks(c Caller) []jsonEntry {
	var out []jsonEntry
	for _, event := range []string{"sessionStart", "preToolUse", "postToolUse"} {
		posix, power := c, c
		posix.Windows, power.Windows = false, true
		bash, powershell := posix.hook(event), power.hook(event)
		if power.quoted() != power.Program {
			powershell = "& " + powershell
		}
		if !c.FailClosed {
			bash, powershell = bash+" || true", powershell+"; exit 0"
		}
		out = append(out, jsonEntry{
			path:  []string{"hooks", event},
			value: fmt.Sprintf(`{"type":"command","bash":%s,"powershell":%s,"timeoutSec":10}`, quote(bash), quote(powershell)),
		})
	}
	return out
}

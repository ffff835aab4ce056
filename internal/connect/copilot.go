package connect

import (
	"fmt"
	"strings"
)

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
		posix := c
		posix.Windows = false
		bash := posix.hook(event)
		powershell := strings.Replace(bash, posix.quoted(), powerWord(c.Program), 1)
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

// powerWord is a program as PowerShell calls it. In double quotes it would expand what stands in them; in single ones each kind of
// single quote that it knows is written twice.
func powerWord(program string) string {
	if !strings.ContainsFunc(program, func(r rune) bool { return !isPlain(r) }) {
		return program
	}
	var b strings.Builder
	for _, r := range program {
		b.WriteRune(r)
		if strings.ContainsRune("'\u2018\u2019\u201a\u201b", r) {
			b.WriteRune(r)
		}
	}
	return "& '" + b.String() + "'"
}

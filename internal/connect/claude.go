package connect

import "fmt"

func claude() Agent {
	return Agent{
		Name: "claude", Title: "Claude Code", Program: "claude", Here: []string{".claude", "CLAUDE.md", ".mcp.json"}, Home: []string{".claude"},
		connections: []connection{
			{part: Hooks, project: ".claude/settings.json", user: ".claude/settings.json", edit: claudeHooks(`"timeout":10`, "SessionStart", "PreToolUse", "PostToolUse", "Stop")},
			{part: MCP, project: ".mcp.json", user: ".claude.json", edit: mcpMember("mcpServers", `"type":"stdio",`)},
		},
		environment: []string{".claude/settings.json", ".claude/settings.local.json"},
	}
}

// claudeHooks are hooks in the form of Claude Code, which others have taken over: groups, each with a matcher for tools.
func claudeHooks(more string, events ...string) settingsJSON {
	return settingsJSON{entries: func(c Caller) []jsonEntry {
		var out []jsonEntry
		for _, event := range events {
			matcher := ""
			if word := matchers[event]; word != "" {
				matcher = `"matcher":"` + word + `",`
			}
			value := fmt.Sprintf(`{%s"hooks":[{"type":"command","command":%s,%s}]}`, matcher, quote(c.hook("")), more)
			out = append(out, jsonEntry{path: []string{"hooks", event}, value: value})
		}
		return out
	}}
}

// matchers are what events are narrowed to: tools, all of them, and compressing that the user asks for, since Gemini CLI tells of
// it before every request otherwise.
var matchers = map[string]string{"PreToolUse": "*", "PostToolUse": "*", "BeforeTool": "*", "AfterTool": "*", "PreCompress": "manual"}

package connect_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/connect"
)

// TestKept: an entry that was there before setup is the user's: undoing gives back the very bytes, and leaves it after foreign
// edits, too.
func TestKept(t *testing.T) {
	const servers = `{"mcpServers":{"pertain":{"command":"pertain","args":["mcp"]}}}`
	const hook = `{"type": "command", "command": "pertain hook claude", "timeout": 10}`
	for _, c := range []struct {
		agent, file, text string
		part              connect.Part
	}{
		{"cursor", ".cursor/mcp.json", servers, connect.MCP},
		{"claude", ".mcp.json", servers, connect.MCP},
		{"gemini", ".gemini/settings.json", servers, connect.MCP},
		{"qwen", ".qwen/settings.json", servers, connect.MCP},
		{"junie", ".junie/mcp/mcp.json", servers, connect.MCP},
		{"kiro", ".kiro/settings/mcp.json", servers, connect.MCP},
		{"roo", ".roo/mcp.json", servers, connect.MCP},
		{"droid", ".factory/mcp.json", servers, connect.MCP},
		{"opencode", "opencode.json", `{"mcp":{"pertain":{"type":"local","command":["pertain","mcp"],"enabled":true}}}`, connect.MCP},
		{"codex", "~/.codex/config.toml", "[mcp_servers.pertain]\ncommand = \"/opt/pertain/bin/pertain\"\nargs = [\"mcp\"]\n", connect.MCP},
		{"claude", ".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [` + hook + `]}]}}`, connect.Hooks},
	} {
		p := newMachine(t)
		p.setup.Parts = []connect.Part{c.part}
		p.write(c.file, c.text)
		p.run(c.agent, nil)
		p.run(c.agent, nil)
		p.run(c.agent, undo)
		if got := p.read(c.file); got != c.text {
			t.Errorf("%s %s: %s", c.agent, c.part, got)
		}
		p.run(c.agent, nil)
		p.write(c.file, "\n"+p.read(c.file)) // somebody edits it
		p.run(c.agent, undo)
		if got := p.read(c.file); strings.Count(got, "pertain") < strings.Count(c.text, "pertain") || c.part == connect.Hooks && strings.Contains(got, "PreToolUse") {
			t.Errorf("%s %s after an edit: %s", c.agent, c.part, got)
		}
	}
	// A file that a colleague has made.
	p := newMachine(t)
	p.run("opencode", nil)
	before := p.read(".opencode/plugin/pertain.js")
	p.setup.State += "2"
	p.run("opencode", nil)
	p.run("opencode", undo)
	if got := p.read(".opencode/plugin/pertain.js"); got != before {
		t.Error(got)
	}
}

// TestRefusedFile: a file of which one part is refused stays as it is.
func TestRefusedFile(t *testing.T) {
	for agent, file := range map[string]string{"gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json"} {
		for _, text := range []string{`{"hooks":[]}`, `{"hooks":{"SessionStart":null}}`, `{"hooks":{"SessionStart":{}}}`, `{"mcpServers":[]}`} {
			p := newMachine(t)
			p.write(file, text)
			if got := p.run(agent, nil); len(got) != 1 || !strings.HasPrefix(got[0], "refused "+file+": ") {
				t.Errorf("%s %s: %q", agent, text, got)
			}
			if got := p.read(file); got != text {
				t.Errorf("%s %s: %s", agent, text, got)
			}
		}
	}
}

// TestEnds: comments at the very end and byte order marks are part of files that people have.
func TestEnds(t *testing.T) {
	for _, c := range []struct{ agent, file, text string }{
		{"claude", ".claude/settings.json", `{"a":1} // c`},
		{"claude", ".claude/settings.json", "{}\n/* c */"},
		{"claude", ".claude/settings.json", "\ufeff{\"a\":1}\n"},
		{"claude", ".claude/settings.json", "\ufeff"},
		{"codex", "~/.codex/config.toml", "\ufeffmodel = \"x\"\n"},
	} {
		p := newMachine(t)
		p.write(c.file, c.text)
		if got := strings.Join(p.run(c.agent, nil), "\n"); !strings.Contains(got, "changed "+c.file) {
			t.Errorf("%q: %s", c.text, got)
		}
		text := p.read(c.file)
		if !strings.Contains(text, "pertain") || strings.HasPrefix(text, "\ufeff") != strings.HasPrefix(c.text, "\ufeff") || strings.Count(text, "\ufeff") > 1 {
			t.Errorf("%q: %q", c.text, text)
		}
		a, _ := connect.Named(c.agent)
		for _, found := range p.setup.Inspect(a) {
			if found.Problem != "" || !found.Connected() {
				t.Errorf("%q: %+v", c.text, found)
			}
		}
		if got := strings.Join(p.run(c.agent, nil), "\n"); !strings.Contains(got, "unchanged "+c.file) {
			t.Errorf("%q: %s", c.text, got)
		}
		p.run(c.agent, undo)
		if got := p.read(c.file); got != c.text {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

// TestAmended: an entry is changed where it stands, and no more than it must.
func TestAmended(t *testing.T) {
	const commented = "{\n  \"mcpServers\": {\n    // ours\n    \"pertain\": {\"command\": \"PROGRAM\", \"args\": [\"mcp\"], \"env\": {\"A\": \"b\"}}, // keep me\n    \"z\": {}\n  }\n}\n"
	const table = "a = 1\n\n[mcp_servers.pertain] # ours\ncommand = 'PROGRAM' # why\nargs = [\"mcp\"]\n\n[mcp_servers.z]\ncommand = \"x\"\n"
	for _, c := range []struct{ agent, file, text, program, want string }{
		{"claude", ".mcp.json", commented, "pertain", commented},
		{"claude", ".mcp.json", commented, "/old/pertain", commented},
		{"claude", ".mcp.json", `{"mcpServers":{"pertain":{"command":"PROGRAM","args":["mcp"]}}}`, "pertain", `{"mcpServers":{"pertain":{"command":"PROGRAM","args":["mcp"]}}}`},
		{
			"copilot", "~/.copilot/mcp-config.json", `{"mcpServers":{"pertain":{"command":"PROGRAM","args":["mcp"]},"z":{}}}`, "pertain",
			`{"mcpServers":{"pertain":{"command":"PROGRAM","args":["mcp"], "type":"local", "tools":["*"]},"z":{}}}`,
		},
		{"codex", "~/.codex/config.toml", strings.Replace(table, " # ours", "", 1), "/old/pertain", strings.Replace(strings.Replace(table, " # ours", "", 1), "'PROGRAM'", `"PROGRAM"`, 1)},
	} {
		p := newMachine(t)
		p.setup.Parts = []connect.Part{connect.MCP}
		before, program := strings.Replace(c.text, "PROGRAM", c.program, 1), "pertain"
		if strings.HasPrefix(c.file, "~") {
			program = p.setup.Program
		}
		p.write(c.file, before)
		got := p.run(c.agent, nil)
		if text, want := p.read(c.file), strings.Replace(c.want, "PROGRAM", program, 1); text != want {
			t.Errorf("%s: %q: %s\nwant %s", c.agent, got, text, want)
		}
		p.run(c.agent, undo)
		if text := p.read(c.file); text != before {
			t.Errorf("%s: undone: %s", c.agent, text)
		}
	}
}

// TestForeignServer: a server of our name that is another is the user's to decide about.
func TestForeignServer(t *testing.T) {
	for _, c := range []struct{ agent, file, text string }{
		{"claude", ".mcp.json", `{"mcpServers":{"pertain":{"command":"other","args":["mcp"]}}}`},
		{"claude", ".mcp.json", `{"mcpServers":{"pertain":{"url":"https://example.com"}}}`},
		{"claude", ".mcp.json", `{"mcpServers":{"pertain":"pertain"}}`},
		{"codex", "~/.codex/config.toml", "[mcp_servers.pertain]\ncommand = \"other\"\nargs = [\"mcp\"]\n"},
		{"codex", "~/.codex/config.toml", "[mcp_servers.pertain]\ncommand = \"pertain\"\nargs = [\"mcp\", \"--x\"]\n"},
	} {
		p := newMachine(t)
		p.setup.Parts = []connect.Part{connect.MCP}
		p.write(c.file, c.text)
		for _, change := range []func(*connect.Setup){nil, undo} {
			got := p.run(c.agent, change)
			if change == nil && (len(got) != 1 || !strings.HasPrefix(got[0], "refused ") || !strings.Contains(got[0], "rename it")) {
				t.Errorf("%s: %q", c.text, got)
			}
			if text := p.read(c.file); text != c.text {
				t.Errorf("%s: %q: %s", c.text, got, text)
			}
		}
	}
}

// TestPowerShell: what stands in the path of the program is a path for PowerShell, too.
func TestPowerShell(t *testing.T) {
	for program, want := range map[string]string{
		"/opt/pertain/bin/pertain":     `"powershell": "/opt/pertain/bin/pertain hook copilot preToolUse; exit 0"`,
		"/x/$(touch EVIL)/pertain":     `"powershell": "& '/x/$(touch EVIL)/pertain' hook copilot preToolUse; exit 0"`,
		"/it's/a ’ b/pertain":          `"powershell": "& '/it''s/a ’’ b/pertain' hook copilot preToolUse; exit 0"`,
		`C:\Program Files\pertain.exe`: `"powershell": "& 'C:\\Program Files\\pertain.exe' hook copilot preToolUse; exit 0"`,
	} {
		p := newMachine(t)
		p.setup.Program, p.setup.Level = program, connect.User
		p.run("copilot", nil)
		if text := p.read("~/.copilot/hooks/pertain.json"); !strings.Contains(text, want) {
			t.Errorf("%s: %s", program, text)
		}
	}
}

// TestForeignFile: what to do with a file of somebody else's is something that there is.
func TestForeignFile(t *testing.T) {
	p := newMachine(t)
	p.write(".continue/mcpServers/pertain.yaml", "name: theirs\n")
	if got := p.run("continue", nil); len(got) != 1 || strings.Contains(got[0], "pertain hook") || !strings.Contains(got[0], "pertain mcp") {
		t.Errorf("%q", got)
	}
}

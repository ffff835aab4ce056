package agenttest

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// WriteFile is a call that writes a file with the tool that the agent offers for
// it: one that writes, a patch, or a command.
func WriteFile(r *modeltest.Request, path, content string) modeltest.Call {
	if name := r.Offers("Write", "write_file", "create", "_write"); name != "" {
		arguments := map[string]string{"content": content}
		switch {
		case strings.EqualFold(name, "create"):
			arguments = map[string]string{"path": path, "file_text": content}
		case r.Offers("Write") == "Write" || r.Offers("write_file") != "":
			arguments["file_path"] = path
		default:
			arguments["path"] = path
		}
		return modeltest.Call{Name: name, Arguments: encoded(arguments)}
	}
	patch := "*** Begin Patch\n*** Add File: " + filepath.Base(path) + "\n"
	for line := range strings.Lines(content) {
		patch += "+" + strings.TrimSuffix(line, "\n") + "\n"
	}
	patch += "*** End Patch\n"
	if name := r.Offers("apply_patch"); name != "" {
		if slices.Contains(r.Custom, name) {
			return modeltest.Call{Name: name, Arguments: patch, Custom: true}
		}
		return modeltest.Call{Name: name, Arguments: encoded(map[string]string{"input": patch})}
	}
	script := "cat > " + path + " <<'EOF'\n" + content + "EOF\n"
	return modeltest.Call{Name: r.Offers("exec_command", "shell_command", "bash"), Arguments: encoded(map[string]string{"cmd": script, "command": script})}
}

// ReadFile is a call that reads a file with the tool that the agent offers for it, or
// else a command.
func ReadFile(r *modeltest.Request, path string) modeltest.Call {
	switch name := r.Offers("Read", "read_file", "view", "_read"); {
	case name == "" || r.Offers("exec_command") != "": // Codex has no other way, though an MCP server may offer one
		script := "cat " + path
		return modeltest.Call{Name: r.Offers("exec_command", "shell_command", "bash"), Arguments: encoded(map[string]string{"cmd": script, "command": script})}
	case name == "Read" || name == "read_file":
		return modeltest.Call{Name: name, Arguments: encoded(map[string]string{"file_path": path})}
	default:
		return modeltest.Call{Name: name, Arguments: encoded(map[string]string{"path": path})}
	}
}

func encoded(value any) string {
	data, _ := json.Marshal(value) // texts
	return string(data)
}

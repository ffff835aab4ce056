package agenttest

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// Names that agents have for tools and their arguments.
var (
	writers  = []string{"Write", "write_file", "create", "_write", "editor"}
	readers  = []string{"Read", "read_file", "view", "_read", "read_files"}
	shells   = []string{"exec_command", "shell_command", "bash"}
	paths    = []string{"file_path", "filePath", "filepath", "path", "absolute_path"}
	contents = []string{"content", "file_text", "new_text", "contents"}
)

// WriteFile is a call that writes a file with the tool that the agent offers for
// it: one that writes, a patch, or a command.
func WriteFile(r *modeltest.Request, path, content string) modeltest.Call {
	if name := r.Offers(writers...); name != "" {
		first, second := pair(taken(r, name, paths), path), pair(taken(r, name, contents), content)
		if taken(r, name, paths) == "filePath" { // OpenCode's models write the content first
			first, second = second, first
		}
		return modeltest.Call{Name: name, Arguments: "{" + first + "," + second + "}"}
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
	return command(r, "cat > "+path+" <<'EOF'\n"+content+"EOF\n")
}

// ReadFile is a call that reads a file with the tool that the agent offers for it, or
// else a command.
func ReadFile(r *modeltest.Request, path string) modeltest.Call {
	name := r.Offers(readers...)
	if name == "" || r.Offers("exec_command") != "" { // Codex has no other way, though an MCP server may offer one
		return command(r, "cat "+path)
	}
	if slices.Contains(r.Takes[name], "files") {
		return modeltest.Call{Name: name, Arguments: encoded(map[string]any{"files": []map[string]string{{"path": path}}})}
	}
	return modeltest.Call{Name: name, Arguments: encoded(map[string]string{taken(r, name, paths): path})}
}

func command(r *modeltest.Request, script string) modeltest.Call {
	return modeltest.Call{Name: r.Offers(shells...), Arguments: encoded(map[string]string{"cmd": script, "command": script})}
}

// taken is the first of some arguments that a tool takes.
func taken(r *modeltest.Request, tool string, names []string) string {
	for _, name := range names {
		if slices.Contains(r.Takes[tool], name) {
			return name
		}
	}
	return names[0]
}

// pair is a member of an object.
func pair(key, value string) string { return encoded(key) + ":" + encoded(value) }

func encoded(value any) string {
	data, _ := json.Marshal(value) // texts
	return string(data)
}

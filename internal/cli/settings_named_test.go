package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestNamedSettings: settings that $PERTAIN_CONFIG names and that are none end every
// command in the same way, but for those about the program itself.
func TestNamedSettings(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.md"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(config string, args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		env := map[string]string{"HOME": dir, "USERPROFILE": dir, "PERTAIN_CONFIG": config}
		code = cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Env: func(name string) string { return env[name] },
		})
		return code, out.String(), errs.String()
	}
	refused := map[string][]string{
		"match": {"match"}, "explain": {"explain", "builtin.explain-selection"}, "pick": {"pick"}, "skills": {"skills"},
		"run": {"run", "builtin.explain-selection"}, "context": {"context"}, "query": {"query", "heading"}, "lint": {"lint"},
		"rules": {"rules"}, "prompt": {"prompt"}, "read": {"read", "skill://x"}, "guard": {"guard"}, "mcp": {"mcp"}, "lsp": {"lsp"}, "test": {"test"}, "serve": {"serve"},
		"gateway": {"gateway"}, "with": {"with", "--", "true"}, "fmt": {"fmt", "-"}, "schema": {"schema", "rule"},
		"new": {"new", "strategy", "--stdout", "x"}, "trust": {"trust", "--list"}, "journal": {"journal"}, "fleet": {"fleet", "status"}, "setup": {"setup", "claude", "--dry-run"},
		"ask": {"ask", "builtin.explain-selection"}, "hotkey": {"hotkey", "remove", "--desktop", "i3"}, "service": {"service", "remove"},
		"export": {"export", "--to", "claude"}, "import": {"import", "--from", "all"},
	}
	fine := map[string][]string{
		"version": {"version"}, "help": {"help", "match"}, "completion": {"completion", "bash"}, "man": {"man", "--dir", "manual"}, "hook": {"hook", "claude"},
	}
	bad := map[string]string{
		"settings.yaml":                 "a relative path",
		filepath.Join(dir, "none.yaml"): "and there is no such file",
		dir:                             "which is a folder, not a regular file",
	}
	if runtime.GOOS == "linux" {
		bad["/proc/self/environ"] = "which is made up by the system, and another file in each process"
	}
	for config, why := range bad {
		for name, args := range refused {
			code, stdout, stderr := call(config, args...)
			if code != 2 || stdout != "" || !strings.Contains(stderr, "PERTAIN_CONFIG is `") || !strings.Contains(stderr, why) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s with %s: exit %d, %q, %q", name, config, code, stdout, stderr)
			}
		}
		for name, args := range fine {
			if code, _, stderr := call(config, args...); code != 0 {
				t.Errorf("%s with %s: exit %d, %q", name, config, code, stderr)
			}
		}
	}
	if code, stdout, _ := call("settings.yaml", "doctor"); code != 1 || !strings.Contains(stdout, "a relative path") {
		t.Errorf("doctor: exit %d, %q", code, stdout)
	}
	for _, args := range [][]string{{"rules", "for", "x.md"}, {"rules", "test", "x.md"}, {"rules", "scan", "x.md"}, {"skills", "enable", "x"}} {
		if code, _, stderr := call("settings.yaml", args...); code != 2 || !strings.Contains(stderr, "a relative path") {
			t.Errorf("%q: exit %d, %q", args, code, stderr)
		}
	}
	if code, stdout, _ := call("settings.yaml"); code != 0 || !strings.Contains(stdout, "Usage:") {
		t.Errorf("without a command: exit %d", code)
	}
	// No command is forgotten here.
	_, help, _ := call("", "--help")
	_, list, ok := strings.Cut(help, "Available Commands:\n")
	list, _, ended := strings.Cut(list, "\n\n")
	if !ok || !ended {
		t.Fatalf("no list of commands in %q", help)
	}
	for line := range strings.Lines(list) {
		name := strings.Fields(line)[0]
		if refused[name] == nil && fine[name] == nil && name != "doctor" {
			t.Errorf("what does `%s` do with such settings?", name)
		}
	}
}

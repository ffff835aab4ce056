package cli_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/cli"
)

// TestSettingsOfAStranger: whatever variable names settings of a repository, no command dials where they say, and each says why.
func TestSettingsOfAStranger(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the variables are those of Unix")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it ends with the test
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var dialled atomic.Int32
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			dialled.Add(1)
			_ = c.Close()
		}
	}()
	address := listener.Addr().String()
	write("repo/.git/HEAD", "ref: refs/heads/main\n")
	write("home/x", "")
	text := "fleet: {url: \"nats://" + address + "\", keys: [RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3]}\n" +
		"ask: {upstream: openai, url: \"http://" + address + "\", model: m, keyVariable: SECRET}\nttsr: {enabled: false}\n"
	config := write("repo/.config/pertain/config.yaml", text)
	repo, home := filepath.Join(base, "repo"), filepath.Join(base, "home")
	call := func(variables map[string]string, args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		env := map[string]string{"HOME": home, "SECRET": "s"}
		for name, value := range variables {
			env[name] = value
		}
		code = cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: repo, Account: home, Env: func(name string) string { return env[name] },
		})
		return code, out.String(), errs.String()
	}
	for name, value := range map[string]string{"PERTAIN_CONFIG": config, "XDG_CONFIG_HOME": filepath.Join(repo, ".config"), "HOME": repo} {
		for _, args := range [][]string{
			{"fleet", "status"},
			{"fleet", "sync"},
			{"fleet", "pull"},
			{"prompt"},
			{"guard"},
			{"match"},
			{"ask", "builtin.explain-selection", "--selection", "x", "--agree"},
		} {
			want := "`fleet.url`"
			if name == "XDG_CONFIG_HOME" { // nothing there is the user's
				want = name + ": what a variable"
			}
			if _, _, stderr := call(map[string]string{name: value}, args...); !strings.Contains(stderr, want) || !strings.Contains(stderr, "pertain trust") {
				t.Errorf("%s, %q: nothing is told: %s", name, args, stderr)
			}
		}
		if _, stdout, _ := call(map[string]string{name: value}, "doctor"); !strings.Contains(stdout, "`fleet.url`") {
			t.Errorf("%s: doctor tells nothing: %s", name, stdout)
		}
		_, _, stderr := call(map[string]string{name: value}, "mcp")
		if name == "PERTAIN_CONFIG" && !strings.Contains(stderr, "`ttsr.enabled`") || name != "PERTAIN_CONFIG" && !strings.Contains(stderr, name+": what a variable") {
			t.Errorf("%s: mcp believes it: %s", name, stderr)
		}
	}
	if dialled.Load() > 0 {
		t.Error("a command dialled where the repository wanted it to")
	}
	if _, _, stderr := call(map[string]string{"XDG_STATE_HOME": filepath.Join(repo, "state")}, "mcp"); !strings.Contains(stderr, "XDG_STATE_HOME: what a variable") {
		t.Errorf("state: %s", stderr)
	}
	write("repo/h/rules/theirs.md", "Obey.\n")
	for _, name := range agent.FolderVariables() {
		for _, command := range []string{"mcp", "prompt", "rules"} {
			for _, value := range []string{filepath.Join(repo, "h"), "h", "../repo/h"} {
				if _, stdout, stderr := call(map[string]string{name: value}, command); !strings.Contains(stderr, name+": what a variable") || strings.Contains(stdout, "theirs") {
					t.Errorf("%s=%s: %s believes it: %s%s", name, value, command, stdout, stderr)
				}
			}
			if _, _, stderr := call(map[string]string{name: filepath.Join(home, "own")}, command); stderr != "" {
				t.Errorf("%s that is the user's own: %s: %s", name, command, stderr)
			}
		}
	}
	write("repo/.config/pertain/strategies/theirs.strategy.md", "---\nwhen: {environment.os.exists: true}\n---\nObey.\n")
	if _, stdout, _ := call(map[string]string{"XDG_CONFIG_HOME": filepath.Join(repo, ".config")}, "match", "--all"); strings.Contains(stdout, "theirs") {
		t.Errorf("its strategies are the user's own: %s", stdout)
	}
	// What lies elsewhere is the user's own.
	if _, _, stderr := call(map[string]string{"PERTAIN_CONFIG": write("etc/config.yaml", text)}, "prompt"); stderr != "" {
		t.Errorf("settings outside of the repository: %s", stderr)
	}
}

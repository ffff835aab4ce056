package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRealClients drives the program with the official SDKs and the MCP
// Inspector. They come from npm's registry, so it runs only when asked for:
// .ci/clients does.
func TestRealClients(t *testing.T) {
	if os.Getenv("PERTAIN_CLIENTS") == "" {
		t.Skip("set PERTAIN_CLIENTS=1 to install the clients from npm's registry and run them")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	tools := t.TempDir()
	if err := os.CopyFS(tools, os.DirFS(filepath.Join("testdata", "clients"))); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "pertain")
	run(t, tools, nil, "npm", "install", "--silent", "--no-audit", "--no-fund")
	run(t, filepath.Join("..", ".."), nil, "go", "build", "-o", program, "./cmd/pertain")

	t.Run("SDK over standard input and output", func(t *testing.T) {
		dir, env := clientWorld(t)
		t.Log(run(t, tools, env, "node", "sdk.mjs", dir, program))
	})
	t.Run("SDK over HTTP", func(t *testing.T) {
		dir, env := clientWorld(t)
		url, token := startServer(t, program, env)
		t.Log(run(t, tools, env, "node", "sdk.mjs", dir, url, token))
	})
	t.Run("SDK of the newest version", func(t *testing.T) {
		dir, env := clientWorld(t)
		t.Log(run(t, tools, env, "node", "newest.mjs", dir, program))
	})
	t.Run("Inspector", func(t *testing.T) { inspect(t, tools, program) })
}

// inspect uses the Inspector's command line, with the Node it wants.
func inspect(t *testing.T, tools, program string) {
	node := filepath.Join(tools, "node_modules", "node", "bin", "node")
	inspector := filepath.Join(tools, "node_modules", "@modelcontextprotocol", "inspector")
	var manifest struct{ Bin map[string]string }
	text, err := os.ReadFile(filepath.Join(inspector, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	dir, env := clientWorld(t)
	write(t, filepath.Join(strings.TrimPrefix(env[0], "HOME="), ".config", "pertain", "strategies", "always.strategy.md"), "---\nname: Always\nwhen:\n  all: []\n---\nDo {Argument}.\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--method", "tools/list"}, `"name": "rules_for_files"`},
		{[]string{"--method", "resources/list"}, `"uri": "rule://types"`},
		{[]string{"--method", "resources/read", "--uri", "rule://types"}, "Use types."},
		{[]string{"--method", "resources/templates/list"}, "rule://{+name}"},
		{[]string{"--method", "prompts/list"}, `"name": "user.always"`},
		{[]string{"--method", "prompts/get", "--prompt-name", "user.always", "--prompt-args", "Argument=this"}, "Do this."},
		{[]string{"--method", "tools/call", "--tool-name", "check_text", "--tool-arg", "text=x: any = 1"}, "no-any"},
	} {
		args := append([]string{filepath.Join(inspector, manifest.Bin["mcp-inspector"]), "--cli", program, "mcp", "--no-builtin", "--cwd", dir}, c.args...)
		if out := run(t, dir, env, node, args...); !strings.Contains(out, c.want) {
			t.Errorf("%v: got %s", c.args, out)
		}
	}
}

// clientWorld is a workspace and a home.
func clientWorld(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = world(t, map[string]string{
		".cursor/rules/types.mdc":  "---\nglobs: \"**/*.ts\"\n---\nUse types.\n",
		".cursor/rules/no-any.mdc": "---\nttsr_trigger: ': any\\b'\nglobs: '**/*.ts'\n---\nNever use any.\n",
	})
	home := t.TempDir()
	write(t, filepath.Join(home, ".config", "pertain", "strategies", "rewrite.strategy.md"),
		"---\nname: Rewrite\nwhen:\n  attachments.selection.text:\n    length: { min: 1 }\n---\nRewrite {Argument}: {attachments.selection.text}\n")
	write(t, filepath.Join(home, ".agents", "skills", "letters", "SKILL.md"), "---\nname: letters\ndescription: How letters are written\n---\nDear reader,\n")
	write(t, filepath.Join(home, ".agents", "skills", "letters", "more.md"), "More.\n")
	env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_HOME=", "NO_COLOR=1"}
	return dir, env
}

// startServer runs `pertain serve` in another folder than the client's.
func startServer(t *testing.T, program string, env []string) (url, token string) {
	t.Helper()
	command := exec.Command(program, "serve", "--json", "--no-builtin", "--listen", "127.0.0.1:0")
	command.Dir, command.Env, command.Stderr = world(t, nil), env, os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("serve ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var announced struct{ MCP, Token string }
	if err := json.Unmarshal(line, &announced); err != nil {
		t.Fatal(err)
	}
	return announced.MCP, announced.Token
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = dir
	if env != nil {
		command.Env = env
	}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

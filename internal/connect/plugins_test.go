package connect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/connect"
)

// drivers call the plugins as their agents do, and print what becomes of a call: `allowed`, or `denied` with the reason.
var drivers = map[string]struct{ file, script string }{
	"opencode": {".opencode/plugin/pertain.js", `
const p = await Pertain({ directory: process.cwd() })
try {
  await p["tool.execute.before"]({ sessionID: "s", callID: "c", tool: "write" }, { args: { filePath: "a.ts", content: "x" } })
  console.log("allowed")
} catch (e) { console.log("denied: " + e.message) }
`},
	"pi": {".pi/agent/extensions/pertain.ts", `
const on = {}
register({ on: (name, f) => { on[name] = f } })
const answer = await on.tool_call({ toolCallId: "c", toolName: "write", input: { path: "a.ts", content: "x" } }, { cwd: process.cwd() })
console.log(answer?.block ? "denied: " + answer.reason : "allowed")
`},
}

// untyped makes JavaScript of the types that the plugin for pi has: not every Node.js reads them.
var untyped = strings.NewReplacer(": Record<string, unknown>", "", ": Promise<any>", "", "<string, string>", "", ": string[]", "", ": string", "", ": any", "",
	"export default function (", "function register(", "export const", "const")

// TestPlugins: whatever goes wrong between a plugin and `pertain` lets a call through, unless it is set up to fail closed.
func TestPlugins(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	const never = "could not check this call"
	programs := []struct{ name, script, open, closed string }{
		{"missing", "", "allowed", never},
		{"silent", "cat >/dev/null", "allowed", never},
		{"garbage", "cat >/dev/null; echo null", "allowed", never},
		{"slow", "exec sleep 20", "allowed", never},
		{"killed", "kill -9 $$", "allowed", never},
		{"denies", `cat >/dev/null; echo '{"decision":"deny","reason":"RULE"}'`, "denied: RULE", "denied: RULE"},
		{"exits", "cat >/dev/null; echo RULE >&2; exit 2", "denied: RULE", "denied: RULE"},
		{"allows", "cat >/dev/null; echo {}", "allowed", "allowed"},
	}
	for agent, driver := range drivers {
		for _, closed := range []bool{false, true} {
			for _, p := range programs {
				t.Run(agent+"/"+p.name+map[bool]string{true: " closed"}[closed], func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					bin := filepath.Join(dir, "bin", "pertain")
					write(t, filepath.Join(dir, "w", "pertain"), "#!/bin/sh\necho '{\"decision\":\"allow\"}'\n", 0o755) // a stranger's
					if p.script != "" {
						write(t, bin, "#!/bin/sh\n"+p.script+"\n", 0o755)
					}
					setup := connect.Setup{
						Root: filepath.Join(dir, "w"), Home: filepath.Join(dir, "w"), State: filepath.Join(dir, "state"), Dir: filepath.Join(dir, "w"), Program: "pertain",
						Parts: []connect.Part{connect.Hooks}, FailClosed: closed,
					}
					named, _ := connect.Named(agent)
					setup.Run(t.Context(), []connect.Agent{named})
					text, err := os.ReadFile(filepath.Join(dir, "w", filepath.FromSlash(driver.file)))
					if err != nil {
						t.Fatal(err)
					}
					script := filepath.Join(dir, "run.mjs")
					plugin := untyped.Replace(string(text))
					if p.name == "slow" {
						plugin = strings.Replace(plugin, "patience = 10000", "patience = 100", 1)
					}
					write(t, script, plugin+driver.script, 0o600)
					cmd := exec.Command(node, script)
					cmd.Dir = filepath.Join(dir, "w")
					cmd.Env = []string{"PATH=.:" + filepath.Dir(bin) + ":/usr/bin:/bin", "HOME=" + dir}
					out, err := cmd.CombinedOutput()
					want := p.open
					if closed {
						want = p.closed
					}
					if err != nil || !strings.Contains(string(out), want) {
						t.Errorf("%v: %s, want %s", err, out, want)
					}
				})
			}
		}
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

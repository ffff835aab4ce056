//go:build agents

package agenttest_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// trusting are the arguments by which an agent runs hooks that nobody has looked at, and asks its own model nothing else.
var trusting = map[string][]string{
	"codex":   {"--dangerously-bypass-hook-trust"},
	"copilot": {"--trust-folder"},
	"gemini":  {"--model", "gemini-2.5-pro"},
}

// TestHooks: `pertain setup AGENT`, and a turn in which the model reads a file, breaks a rule, and mends that. The rules reach the
// model at the right moment, each once; the file is never written as it was; undoing leaves no trace.
func TestHooks(t *testing.T) {
	modules := os.Getenv("PERTAIN_AGENTS")
	if modules == "" {
		t.Skip("PERTAIN_AGENTS names no folder with agents; .ci/agents installs them")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "pertain"), "./cmd/pertain")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found, _ := agenttest.Find(modules)
	for _, agent := range found {
		t.Run(agent.Name, func(t *testing.T) { hooked(t, agent, bin) })
	}
}

func hooked(t *testing.T, agent agenttest.Agent, bin string) {
	home, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":             "ref: refs/heads/main\n",
		".omp/rules/no-eval.md": "---\nttsr_trigger: eval\\(\"\n---\nNever use eval, said the rule.\n",
		".omp/rules/types.md":   "---\nglobs: '**/*.ts'\n---\nUse strict types, said the rule.\n",
		".omp/rules/always.md":  "---\nalwaysApply: true\n---\nBe kind, said the rule.\n",
		"a.ts":                  "let a = 1\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
		t.Logf("git: %v %s", err, out)
	}
	env := []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")}
	pertain := func(args ...string) string {
		cmd := exec.Command(filepath.Join(bin, "pertain"), args...)
		cmd.Dir = dir
		cmd.Env = append([]string{"HOME=" + home}, env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("pertain %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	pertain("setup", agent.Name)

	file := filepath.Join(dir, "bad.js")
	var written bool // the file was there before the call was mended
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if len(r.Tools) == 0 {
			return modeltest.Answer{Text: "Done."}
		}
		switch r.Said {
		case 0:
			return modeltest.Answer{Calls: []modeltest.Call{agenttest.ReadFile(r, filepath.Join(dir, "a.ts"))}}
		case 1:
			return modeltest.Answer{Calls: []modeltest.Call{agenttest.WriteFile(r, file, "x = eval(\"1\")\n")}}
		case 2:
			_, err := os.Stat(file)
			written = err == nil
			return modeltest.Answer{Calls: []modeltest.Call{agenttest.WriteFile(r, file, "x = 1\n")}}
		}
		return modeltest.Answer{Text: "Done."}
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := agent.Run(ctx, agenttest.Turn{Home: home, Dir: dir, URL: model.URL, Prompt: "Do it, please.", Env: env, Args: trusting[agent.Name]})
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	said := func(n int) string { // what had reached the model when it had spoken n times
		for _, r := range model.Requests() {
			if len(r.Tools) > 0 && r.Said == n {
				return r.Text
			}
		}
		return ""
	}
	check := func(ok bool, what string) {
		if !ok {
			t.Errorf("%s: %s", agent.Name, what)
		}
	}
	check(strings.Contains(said(0), "Be kind, said the rule."), "the rule that always holds is not there at the beginning")
	check(!strings.Contains(said(0), "Use strict types"), "the file's rule came before the file")
	check(strings.Contains(said(1), "Use strict types, said the rule."), "the file's rule did not come after the read")
	check(!strings.Contains(said(1), "Never use eval"), "the trigger's rule came before it was broken")
	check(strings.Contains(said(2), "Never use eval, said the rule."), "the reason did not reach the model")
	check(!written, "the file was written in spite of the rule")
	last := said(3)
	for _, text := range []string{"Be kind, said", "Use strict types, said", "Never use eval, said"} {
		if n := strings.Count(last, text); n != 1 {
			t.Errorf("%s: %q is there %d times", agent.Name, text, n)
		}
	}
	text, err := os.ReadFile(file)
	check(err == nil && strings.TrimSpace(string(text)) == "x = 1", "the mended call did not go through: "+string(text))
	if t.Failed() {
		t.Logf("%s", out)
		for _, r := range model.Requests() {
			tools, _ := json.Marshal(r.Tools)
			t.Logf("%s %s said %d, tools %s, results %q", r.API, r.Path, r.Said, tools, r.Results)
		}
		t.Logf("%s", pertain("journal"))
		seen, _ := os.ReadFile(filepath.Join(home, ".local/state/pertain/hooks.jsonl"))
		t.Logf("%s", seen)
	}
	if !strings.Contains(pertain("journal", "--rule", "no-eval"), "heeded") {
		t.Errorf("%s: the journal does not know that the denial was heeded", agent.Name)
	}
	mcp := false
	for _, r := range model.Requests() {
		mcp = mcp || slices.ContainsFunc(r.Tools, func(name string) bool { return strings.Contains(name, "rules_for_files") })
	}
	version := versionNumber.FindString(agent.Version(ctx))
	if !t.Failed() {
		keepResult(t, verified{agent.Name, version, true, true, mcp})
	}
	pertain("setup", agent.Name, "--undo")
	for _, root := range []string{dir, home} {
		for _, path := range tracesIn(t, root) {
			if !strings.Contains(path, filepath.Join("state", "pertain")) {
				t.Errorf("%s: undoing left %s", agent.Name, path)
			}
		}
	}
	t.Logf("%s %s: %d requests, MCP %v", agent.Name, version, len(model.Requests()), mcp)
}

// verified is what was seen of one agent, for the table in docs/hooks.md.
type verified struct {
	Agent   string `json:"agent"`
	Version string `json:"version"`
	Deny    bool   `json:"deny"`
	Context bool   `json:"context"`
	MCP     bool   `json:"mcp"`
}

var versionNumber = regexp.MustCompile(`[0-9]+\.[0-9]+\.[0-9]+`)

// keepResult writes what was seen into the file that the documentation is made from, if PERTAIN_VERIFIED names it.
func keepResult(t *testing.T, v verified) {
	t.Helper()
	path := os.Getenv("PERTAIN_VERIFIED")
	if path == "" {
		return
	}
	var all []verified
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
	}
	all = slices.DeleteFunc(all, func(old verified) bool { return old.Agent == v.Agent })
	all = append(all, v)
	slices.SortFunc(all, func(a, b verified) int { return strings.Compare(a.Agent, b.Agent) })
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tracesIn are the files below a folder that call a hook, agents' own logs aside.
func tracesIn(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".json", ".toml", ".js", ".ts", ""}, filepath.Ext(path)) {
			return nil
		}
		if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), `pertain hook`) && !strings.Contains(path, "projects") && d.Name() != "trusted_hooks.json" { // Gemini CLI's own list
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

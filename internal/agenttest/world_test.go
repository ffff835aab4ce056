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
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/agenttest"
)

// trusting are the arguments by which an agent runs hooks that nobody has looked at, and asks its own model nothing else.
var trusting = map[string][]string{
	"codex":   {"--dangerously-bypass-hook-trust", "--trust"}, // the second for what the project sets up
	"copilot": {"--trust-folder"},
	"gemini":  {"--model", "gemini-2.5-pro"},
}

// agents are those that are installed here: the common ones or, with PERTAIN_AGENTS_MORE, all.
func agents(t *testing.T) []agenttest.Agent {
	t.Helper()
	modules := os.Getenv("PERTAIN_AGENTS")
	if modules == "" {
		t.Skip("PERTAIN_AGENTS names no folder with agents; .ci/agents installs them")
	}
	found, missing := agenttest.Find(modules)
	if len(found) == 0 {
		t.Fatal("there is no agent in " + modules)
	}
	if os.Getenv("PERTAIN_AGENTS_MORE") == "" {
		found = slices.DeleteFunc(found, func(a agenttest.Agent) bool { return !a.Common })
	} else {
		t.Logf("not installed: %s", strings.Join(missing, " "))
	}
	return found
}

// built is a folder with the program.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pertain-agents")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "pertain"), "./cmd/pertain")
	build.Dir = "../.."
	build.Stderr = os.Stderr
	return dir, build.Run()
})

func builtProgram(t *testing.T) string {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// patience is how long an agent may take for a turn, and whatever it does beside that: they
// start at their own pace on a busy machine.
const patience = 6 * time.Minute

// folder is an empty one that is gone after the test. Agents leave processes behind that
// still write there for a while, and which no test is about.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(dir)
		for end := time.Now().Add(patience); err != nil && time.Now().Before(end); err = os.RemoveAll(dir) {
			time.Sleep(100 * time.Millisecond)
		}
		if err != nil {
			t.Errorf("a process that an agent left behind does not end: %v", err)
		}
	})
	return dir
}

// until waits for something that a process does on its own, and tells whether it was seen.
func until(seen func() bool) bool {
	for end := time.Now().Add(patience); !seen(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// world is a home and a repository.
type world struct {
	t         *testing.T
	agent     agenttest.Agent
	home, dir string
	bin       string
	env       []string
}

func newWorld(t *testing.T, agent agenttest.Agent, bin string, files map[string]string) *world {
	t.Helper()
	w := &world{t: t, agent: agent, home: folder(t), dir: folder(t), bin: bin}
	for name, text := range files {
		path := filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "-C", w.dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git: %v %s", err, out)
	}
	w.env = []string{"PATH=" + strings.Join([]string{bin, filepath.Dir(agent.Program), os.Getenv("PATH")}, string(filepath.ListSeparator))}
	return w
}

// pertain runs the program in the repository.
func (w *world) pertain(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(filepath.Join(w.bin, "pertain"), args...)
	cmd.Dir = w.dir
	cmd.Env = append([]string{"HOME=" + w.home}, w.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Errorf("pertain %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// actions are what the journal has of a rule: an action each, and whether it was heeded.
func (w *world) actions(rule string) []string {
	w.t.Helper()
	var journal struct {
		Entries []struct {
			Action string
			Heeded *bool
		}
	}
	if err := json.Unmarshal([]byte(w.pertain("journal", "--rule", rule, "--json")), &journal); err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range journal.Entries {
		switch {
		case e.Heeded == nil:
			out = append(out, e.Action)
		case *e.Heeded:
			out = append(out, e.Action+" heeded")
		default:
			out = append(out, e.Action+" unheeded")
		}
	}
	slices.Sort(out)
	return out
}

// journals wants this of a rule in the journal, which a hook that outlives its agent's turn may
// still write.
func (w *world) journals(rule string, want []string) {
	w.t.Helper()
	var got []string
	if !until(func() bool {
		got = w.actions(rule)
		return slices.Equal(got, want) || len(got) > len(want)
	}) || !slices.Equal(got, want) {
		w.t.Errorf("%s: the journal has %q of %s", w.agent.Name, got, rule)
	}
}

// undone takes back what connects the agent, and wants no trace of it but in the agent's own notes.
func (w *world) undone() {
	w.t.Helper()
	w.pertain("setup", w.agent.Name, "--undo")
	for _, root := range []string{w.dir, w.home} {
		for _, path := range tracesIn(w.t, root) {
			w.t.Errorf("%s: undoing left %s", w.agent.Name, path)
		}
	}
}

// notes are where agents write down what they did, and Pertain what it knows.
var notes = []string{"state/pertain/", "/projects/", "/debug/", "/logs/", "/sessions/", "/log/", "trusted_hooks.json", "/data/", ".local/share/"}

// tracesIn are the files below a folder that call a hook or start our server, agents' own notes aside.
func tracesIn(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".json", ".toml", ".yaml", ".js", ".ts", ""}, filepath.Ext(path)) {
			return nil
		}
		for _, note := range notes {
			if strings.Contains(filepath.ToSlash(path), note) {
				return nil
			}
		}
		data, _ := os.ReadFile(path) // what is gone has none
		if strings.Contains(string(data), "pertain hook") || strings.Contains(string(data), `"mcp"`) && strings.Contains(string(data), "pertain") {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// result is what was seen of one agent, for the tables in README and docs/hooks.md.
type result struct {
	Agent   string `json:"agent"`
	Version string `json:"version"`
	Deny    bool   `json:"deny"`    // a call that broke a rule was not made, and mended
	Told    bool   `json:"told"`    // where it cannot be denied, the model was told
	Context bool   `json:"context"` // rules came at the beginning and with a file, each once
	MCP     bool   `json:"mcp"`     // the model called a tool of ours
	Gateway bool   `json:"gateway"` // all cases behind a gateway
}

// keeping is held while the file is changed.
var keeping sync.Mutex

var versionNumber = regexp.MustCompile(`[0-9]+\.[0-9]+\.[0-9]+`)

// keepsResult writes what a test has seen, when it has ended, into the file that the documentation is made from, if
// PERTAIN_VERIFIED names it.
func keepsResult(t *testing.T, agent agenttest.Agent, change func(r *result, ok bool)) {
	t.Helper()
	path := os.Getenv("PERTAIN_VERIFIED")
	if path != "" {
		t.Cleanup(func() { keepResult(t, path, agent, func(r *result) { change(r, !t.Failed()) }) })
	}
}

// keepResult writes it. What was seen of another version is forgotten.
func keepResult(t *testing.T, path string, agent agenttest.Agent, change func(*result)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	keeping.Lock()
	defer keeping.Unlock()
	now := result{Agent: agent.Name, Version: versionNumber.FindString(agent.Version(ctx))}
	var all []result
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
	}
	all = slices.DeleteFunc(all, func(old result) bool {
		if old.Agent == now.Agent && old.Version == now.Version {
			now = old
		}
		return old.Agent == now.Agent
	})
	change(&now)
	all = append(all, now)
	slices.SortFunc(all, func(a, b result) int { return strings.Compare(a.Agent, b.Agent) })
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

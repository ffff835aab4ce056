//go:build agents

package agenttest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/rule"
)

// loadedFiles are the files of one world: a marker in every place. P is the folder
// above the repository R; the agent works in R or in R/packages/pay.
var loadedFiles = func() map[string]string {
	files := map[string]string{}
	for _, dir := range []string{"P", "P/R", "P/R/packages", "P/R/packages/pay", "P/R/packages/pay/src"} {
		for _, name := range []string{
			"AGENTS.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md", "CONTEXT.md", "WARP.md", ".github/copilot-instructions.md", ".claude/rules/plain.md",
			".github/instructions/plain.instructions.md", ".cursorrules", ".clinerules/a.md", ".continue/rules/a.md", ".qwen/rules/a.md", ".agents/AGENTS.md", ".pi/APPEND_SYSTEM.md",
		} {
			files[dir+"/"+name] = ""
		}
		files[dir+"/.claude/rules/typed.md"] = "---\npaths: \"*.ts\"\n---\n"
		files[dir+"/.claude/rules/python.md"] = "---\npaths: \"**/*.py\"\n---\n"
		files[dir+"/.claude/rules/broken.md"] = "---\npaths: \"**/*.ts\n---\n"
		files[dir+"/.claude/rules/blank.md"] = "\n---\npaths: \"**/*.py\"\n---\n"
		files[dir+"/.github/instructions/typed.instructions.md"] = "---\napplyTo: \"*.ts\"\n---\n"
		files[dir+"/.github/instructions/python.instructions.md"] = "---\napplyTo: \"**/*.py\"\n---\n"
		files[dir+"/.github/instructions/reviewed.instructions.md"] = "---\nexcludeAgent: \"coding-agent\"\n---\n"
	}
	for _, name := range []string{
		".claude/CLAUDE.md", ".claude/rules/mine.md", ".codex/AGENTS.md", ".gemini/GEMINI.md", ".copilot/copilot-instructions.md",
		".copilot/instructions/mine.instructions.md", ".pi/agent/AGENTS.md", ".agents/AGENTS.md", ".config/AGENTS.md",
	} {
		files["home/"+name] = ""
	}
	return files
}()

// TestLoaded: what reaches the model, and when, is what `rules --agent` says: from the
// root of a repository, with CLAUDE.md and AGENTS.override.md in every folder, and from
// a folder of it, without; at the start, and after a file was read. With -short, from the folder
// alone. Of the agents that are not tried with every change, those are compared that
// PERTAIN_AGENTS_MORE asks for.
func TestLoaded(t *testing.T) {
	for _, agent := range agents(t) {
		if !agent.Common && os.Getenv("PERTAIN_AGENTS_MORE") == "" {
			continue
		}
		t.Run(agent.Name+"/folder", func(t *testing.T) {
			t.Parallel()
			compareLoaded(t, agent, "P/R/packages/pay", nil)
		})
		if testing.Short() {
			continue
		}
		t.Run(agent.Name+"/root", func(t *testing.T) {
			t.Parallel()
			compareLoaded(t, agent, "P/R", []string{"CLAUDE.md", "AGENTS.override.md"})
		})
	}
}

func compareLoaded(t *testing.T, agent agenttest.Agent, dir string, more []string) {
	root := folder(t)
	words := map[string]string{} // by path
	write := func(name, head string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		words[path] = fmt.Sprintf("marker%04dend", len(words))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(head+"The word is "+words[path]+".\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(mapKeys(loadedFiles)) {
		write(name, loadedFiles[name])
	}
	for _, folder := range []string{"P", "P/R", "P/R/packages", "P/R/packages/pay", "P/R/packages/pay/src"} {
		for _, name := range more {
			write(folder+"/"+name, "")
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "P/R/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n"} {
		if err := os.WriteFile(filepath.Join(root, "P/R/.git", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(root, "P/R/.git", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	home, work := filepath.Join(root, "home"), filepath.Join(root, filepath.FromSlash(dir))
	touched := filepath.Join(root, "P/R/packages/pay/src/a.ts")
	if err := os.WriteFile(touched, []byte("export {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}

	reads := false // the agent has a tool that reads a file
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		name := r.Offers("Read", "read_file", "view")
		if r.Said > 0 || name == "" {
			return modeltest.Answer{Text: "Done."}
		}
		reads = true
		return modeltest.Answer{Text: "I read it.", Calls: []modeltest.Call{agenttest.ReadFile(r, touched)}}
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := agent.Run(ctx, agenttest.Turn{Home: home, Dir: work, URL: model.URL, Prompt: "Read a.ts, please."})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := map[string]rule.When{}
	for _, r := range model.Requests() {
		for path, word := range words {
			if seen[path] == "" && r.Has(word) {
				if seen[path] = rule.AtStart; r.Said > 0 {
					seen[path] = rule.OnTouch
				}
			}
		}
	}
	if len(model.Requests()) == 0 {
		t.Fatalf("the model was not asked\n%s", out)
	}
	book, err := pertain.OpenRules(ctx, pertain.Environment{Dir: work, Env: func(name string) string {
		return map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config")}[name]
	}}, pertain.RuleOptions{Agent: agent.Name, Files: []string{touched}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]rule.When{}
	for _, v := range book.ForPaths([]string{touched}, false)[0] {
		if v.Rule.When == rule.AtStart || v.Rule.When == rule.OnTouch && reads {
			want[v.Rule.Path] = v.Rule.When
		}
	}
	for _, path := range slices.Sorted(mapKeys(words)) {
		if seen[path] != want[path] {
			rel, _ := filepath.Rel(root, path)
			t.Errorf("%s: the model saw it at %q, pertain says %q", rel, seen[path], want[path])
		}
	}
	t.Logf("%s %s: %d files loaded", agent.Name, agent.Version(ctx), len(seen))
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

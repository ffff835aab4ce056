//go:build agents

package agenttest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/export"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/rule"
)

// exportedRules are rules of every activation, with when a model that reads src/a.ts shall see each; empty: not at all.
var exportedRules = []struct {
	name, head string
	when       rule.When
}{
	{"always", "alwaysApply: true", rule.AtStart},
	{"typed", "globs: \"*.ts\"", rule.OnTouch},
	{"below", "globs: \"/src/**\"", rule.OnTouch},
	{"deep/folder", "globs: [\"src/*.ts\", \"lib/**\"]", rule.OnTouch},
	{"root-only", "globs: \"/*.ts\"", ""},
	{"python", "globs: \"**/*.py\"", ""},
	{"elsewhere", "globs: \"packages/**\"", ""},
	{"asked", "description: How to deploy " + listedWord, ""},
	{"manual", "", ""},
	{"watching", "condition: never-written-word", ""},
}

// listedWord is in the description of a rule: where the rule is a skill, the model sees it at the start.
const listedWord = "markerlistedend"

// TestExported: after an export, a rule reaches the model when and only when its source says so, wherever nothing is told as
// lost; and where something is, as `rules --agent` says.
func TestExported(t *testing.T) {
	for _, agent := range agents(t) {
		if form, ok := export.FormOf(agent.Name); ok && agent.Common {
			t.Run(agent.Name, func(t *testing.T) { compareExported(t, agent, form, "") })
			if len(form.Memory) > 0 {
				t.Run(agent.Name+"/marks", func(t *testing.T) { compareExported(t, agent, form, form.Memory[0]) })
			}
		}
	}
}

// compareExported exports for one agent and runs it; byHand is a hand-written file with marks, if there is one.
func compareExported(t *testing.T, agent agenttest.Agent, form export.Form, byHand string) {
	root := folder(t)
	home, work := filepath.Join(root, "home"), filepath.Join(root, "work")
	write := func(name, text string) {
		path := filepath.Join(work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	words := map[string]string{}
	for i, r := range exportedRules {
		words[r.name] = fmt.Sprintf("marker%04dend", i)
		write(".pertain/rules/"+r.name+".md", "---\n"+r.head+"\n---\nThe word is "+words[r.name]+".\n")
	}
	words[listedWord] = listedWord
	if byHand != "" {
		words[byHand] = "markerbyhandend"
		write(byHand, "The word is markerbyhandend.\n\n"+mark.Begin+"\n"+mark.End+"\n")
	}
	write("src/a.ts", "export {}\n")
	write("packages/b.ts", "export {}\n")
	write(".git/HEAD", "ref: refs/heads/main\n")
	write(".git/config", "[core]\n\trepositoryformatversion = 0\n")
	for _, name := range []string{".git/objects", ".git/refs"} {
		if err := os.MkdirAll(filepath.Join(work, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	folders := export.Folders{Root: work, Home: home}
	rules, _, err := export.Load(t.Context(), folders, export.Source{Dir: work})
	if err != nil || len(rules) != len(exportedRules) {
		t.Fatalf("%d rules, %v", len(rules), err)
	}
	plan, err := export.NewPlan(t.Context(), folders, rules, []export.Form{form}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Do(t.Context(), export.Run{}); err != nil {
		t.Fatal(err)
	}
	seen, reads := sawMarkers(t, agent, home, work, words)
	touched := filepath.Join(work, "src", "a.ts")
	book, err := pertain.OpenRules(t.Context(), pertain.Environment{Dir: work, Env: func(name string) string {
		return map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config")}[name]
	}}, pertain.RuleOptions{Agent: agent.Name, Files: []string{touched}})
	if err != nil {
		t.Fatal(err)
	}
	loaded := map[string]rule.When{}
	for _, v := range book.ForPaths([]string{touched}, false)[0] {
		loaded[v.Rule.Path] = v.Rule.When
	}
	if seen[listedWord] != rule.AtStart {
		t.Errorf("the model saw the skill's description at %q", seen[listedWord])
	}
	if byHand != "" && seen[byHand] != rule.AtStart {
		t.Errorf("the model saw what a person wrote into %s at %q", byHand, seen[byHand])
	}
	exact := 0
	for _, file := range plan.Files {
		for _, name := range file.Rules {
			want := loaded[file.Path]
			if file.Change == export.Skipped || want == rule.IsListed {
				want = ""
			} else if len(file.Losses) == 0 {
				exact++
				for _, r := range exportedRules {
					if r.name == name {
						want = r.when
					}
				}
			}
			if want == rule.OnTouch && !reads {
				want = ""
			}
			if seen[name] != want {
				t.Errorf("%s: the model saw it at %q, want %q (losses %q)", name, seen[name], want, file.Losses)
			}
		}
	}
	t.Logf("%s: %d rules seen, %d of %d without losses", agent.Name, len(seen), exact, len(exportedRules))
}

// sawMarkers runs one turn in which the agent reads src/a.ts, and tells when each word was first in a request.
func sawMarkers(t *testing.T, agent agenttest.Agent, home, work string, words map[string]string) (seen map[string]rule.When, reads bool) {
	t.Helper()
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		name := r.Offers("Read", "read_file", "view")
		if r.Said > 0 || name == "" {
			return modeltest.Answer{Text: "Done."}
		}
		reads = true
		return modeltest.Answer{Text: "I read it.", Calls: []modeltest.Call{agenttest.ReadFile(r, filepath.Join(work, "src", "a.ts"))}}
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := agent.Run(ctx, agenttest.Turn{Home: home, Dir: work, URL: model.URL, Prompt: "Read a.ts, please."})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(model.Requests()) == 0 {
		t.Fatalf("the model was not asked\n%s", out)
	}
	seen = map[string]rule.When{}
	for _, r := range model.Requests() {
		for name, word := range words {
			if seen[name] == "" && r.Has(word) {
				if seen[name] = rule.AtStart; r.Said > 0 {
					seen[name] = rule.OnTouch
				}
			}
		}
	}
	return seen, reads
}

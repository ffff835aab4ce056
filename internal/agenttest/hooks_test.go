//go:build agents

package agenttest_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// hookless are agents that know no hooks, and unable those that cannot be kept from a call.
var (
	hookless = map[string]bool{"continue": true}
	unable   = map[string]bool{"cline": true}
)

// TestHooks: `pertain setup AGENT`, and a turn in which the model reads a file, breaks a rule, and mends that. The rules reach the
// model at the right moment, each once; the file is never written as it was; undoing leaves no trace.
func TestHooks(t *testing.T) {
	bin := builtProgram(t)
	for _, agent := range agents(t) {
		if !hookless[agent.Name] {
			t.Run(agent.Name, func(t *testing.T) {
				t.Parallel()
				hooked(t, agent, bin)
			})
		}
	}
}

// hookRules are a rule of each kind.
var hookRules = map[string]string{
	".omp/rules/no-eval.md": "---\nttsr_trigger: eval\\(\"\n---\nNever use eval, said the rule.\n",
	".omp/rules/types.md":   "---\nglobs: '**/*.ts'\n---\nUse strict types, said the rule.\n",
	".omp/rules/always.md":  "---\nalwaysApply: true\n---\nBe kind, said the rule.\n",
	"a.ts":                  "let a = 1\n",
}

func hooked(t *testing.T, agent agenttest.Agent, bin string) {
	keepsResult(t, agent, func(r *result, ok bool) {
		r.Deny, r.Told, r.Context = ok && !unable[agent.Name], ok && unable[agent.Name], ok
	})
	w := newWorld(t, agent, bin, hookRules)
	w.pertain("setup", agent.Name)
	file := filepath.Join(w.dir, "bad.js")
	var written bool // the file was there before the call was mended
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if len(r.Tools) == 0 {
			return modeltest.Answer{Text: "Done."}
		}
		switch r.Ran {
		case 0:
			return modeltest.Answer{Calls: []modeltest.Call{agenttest.ReadFile(r, filepath.Join(w.dir, "a.ts"))}}
		case 1:
			return modeltest.Answer{Calls: []modeltest.Call{agenttest.WriteFile(r, file, "x = eval(\"1\")\n")}}
		case 2:
			_, err := os.Stat(file)
			if written = err == nil; written {
				_ = os.Remove(file) // so that any tool can write it again
			}
			return modeltest.Answer{Calls: []modeltest.Call{agenttest.WriteFile(r, file, "x = 1\n")}}
		}
		return modeltest.Answer{Text: "Done."}
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := agent.Run(ctx, agenttest.Turn{Home: w.home, Dir: w.dir, URL: model.URL, Prompt: "Do it, please.", Env: w.env, Args: trusting[agent.Name]})
	if err != nil {
		t.Error(err)
	}
	said := func(n int) string { // what had reached the model when n of its calls had come back
		for _, r := range model.Requests() {
			if len(r.Tools) > 0 && r.Ran == n {
				return r.Text
			}
		}
		return ""
	}
	check := func(ok bool, what string) {
		t.Helper()
		if !ok {
			t.Errorf("%s: %s", agent.Name, what)
		}
	}
	begin := 0
	if unable[agent.Name] { // what is said when a task begins reaches nobody: it comes with the first call
		begin = 1
	}
	check(strings.Contains(said(begin), "Be kind, said the rule."), "the rule that always holds is not there at the beginning")
	check(!strings.Contains(said(0), "Use strict types"), "the file's rule came before the file")
	check(strings.Contains(said(1), "Use strict types, said the rule."), "the file's rule did not come after the read")
	check(!strings.Contains(said(1), "Never use eval"), "the trigger's rule came before it was broken")
	check(strings.Contains(said(2), "Never use eval, said the rule."), "the reason did not reach the model")
	check(written == unable[agent.Name], "the file was written in spite of the rule")
	last := said(3)
	for _, text := range []string{"Be kind, said", "Use strict types, said", "Never use eval, said"} {
		if n := strings.Count(last, text); n != 1 {
			t.Errorf("%s: %q is there %d times", agent.Name, text, n)
		}
	}
	text, err := os.ReadFile(file)
	check(err == nil && strings.TrimSpace(string(text)) == "x = 1", "the mended call did not go through: "+string(text))
	want := "denied heeded"
	if unable[agent.Name] {
		want = "reminded"
	}
	w.journals("no-eval", []string{want})
	if t.Failed() {
		t.Log(out)
		for _, r := range model.Requests() {
			tools, _ := json.Marshal(r.Tools)
			t.Logf("%s %s ran %d, tools %s, results %q", r.API, r.Path, r.Ran, tools, r.Results)
		}
		seen, _ := os.ReadFile(filepath.Join(w.home, ".local/state/pertain/hooks.jsonl"))
		t.Logf("%s", seen)
	}
	w.undone()
}

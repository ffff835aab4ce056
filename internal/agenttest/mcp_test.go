//go:build agents

package agenttest_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// TestMCP: `pertain setup AGENT --mcp`, and a turn in which the model finds the tool that tells the rules for files, calls it, and
// gets them.
func TestMCP(t *testing.T) {
	bin := builtProgram(t)
	for _, agent := range agents(t) {
		if !serverless[agent.Name] {
			t.Run(agent.Name, func(t *testing.T) {
				t.Parallel()
				servedBy(t, agent, bin)
			})
		}
	}
}

// asking are the arguments by which an agent that asks before it calls a tool of a server does not.
var asking = map[string][]string{"claude": {"--allowedTools", "mcp__pertain"}}

// serverless are agents that know no MCP, or read none of the files that are set up for it.
var serverless = map[string]bool{"continue": true, "pi": true}

func servedBy(t *testing.T, agent agenttest.Agent, bin string) {
	keepsResult(t, agent, func(r *result, ok bool) { r.MCP = ok })
	w := newWorld(t, agent, bin, map[string]string{
		".omp/rules/types.md": "---\nglobs: '**/*.ts'\n---\nUse strict types, said the rule.\n",
		"a.ts":                "let a = 1\n",
	})
	w.pertain("setup", agent.Name, "--mcp")
	var told bool // the rule came as the result of the tool
	began := time.Now()
	later := func(a modeltest.Answer) modeltest.Answer {
		if time.Since(began) > patience/2 {
			return modeltest.Answer{Text: "Done."}
		}
		time.Sleep(time.Second)
		return a
	}
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		told = told || slices.ContainsFunc(r.Results, func(text string) bool { return strings.Contains(text, "Use strict types") })
		name := ""
		for _, tool := range r.Tools {
			if strings.Contains(tool, "rules_for_files") {
				name = tool
			}
		}
		switch {
		case told || len(r.Tools) == 0:
			return modeltest.Answer{Text: "Done."}
		case name != "":
			return later(modeltest.Answer{Calls: []modeltest.Call{{Name: name, Arguments: `{"files":["a.ts"]}`}}})
		case r.Ran%2 == 1 && r.Offers("tool_call") != "": // one calls for the others
			return modeltest.Answer{Calls: []modeltest.Call{{Name: "tool_call", Arguments: `{"name":"mcp__pertain__rules_for_files","arguments":{"files":["a.ts"]}}`}}}
		case r.Offers("ToolSearch", "tool_search") != "": // tools that are told only to who asks
			return later(modeltest.Answer{Calls: []modeltest.Call{{Name: r.Offers("ToolSearch", "tool_search"), Arguments: `{"query":"rules_for_files pertain"}`}}})
		}
		// The turn goes on until the agent has reached the server, which some do not wait for.
		return later(modeltest.Answer{Calls: []modeltest.Call{agenttest.ReadFile(r, filepath.Join(w.dir, "a.ts"))}})
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := agent.Run(ctx, agenttest.Turn{Home: w.home, Dir: w.dir, URL: model.URL, Prompt: "Which rules are there for a.ts?", Env: w.env, Args: append(asking[agent.Name], trusting[agent.Name]...)})
	if err != nil {
		t.Error(err)
	}
	if !told {
		t.Errorf("%s: the rules did not reach the model through MCP", agent.Name)
		t.Log(tail(out, 3000))
		for _, r := range model.Requests() {
			tools, _ := json.Marshal(r.Tools)
			t.Logf("%s %s ran %d, tools %s, takes %v, results %.800q", r.API, r.Path, r.Ran, tools, r.Takes["tool_call"], r.Results)
		}
		return
	}
	w.undone()
}

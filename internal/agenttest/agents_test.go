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

// TestTurn: each agent that is installed completes a turn in which the model writes
// a file with the agent's own tool, and brings the result back to the model.
func TestTurn(t *testing.T) {
	for _, agent := range agents(t) {
		t.Run(agent.Name, func(t *testing.T) {
			home, dir := folder(t), folder(t)
			file := filepath.Join(dir, "hello.txt")
			model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
				if r.Ran > 0 || len(r.Tools) == 0 {
					return modeltest.Answer{Text: "Done."}
				}
				return modeltest.Answer{Text: "I write it.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}}
			})
			defer model.Close()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			out, err := agent.Run(ctx, agenttest.Turn{Home: home, Dir: dir, URL: model.URL, Prompt: "Write hello.txt, please.", Args: trusting[agent.Name]})
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(file)
			if err != nil || strings.TrimSpace(string(text)) != "hello" {
				t.Errorf("%q, %v\n%s", text, err, out)
				for _, r := range model.Requests() {
					tools, _ := json.Marshal(r.Tools)
					t.Logf("%s %s stream %v, said %d, tools %s, results %q", r.API, r.Path, r.Stream, r.Said, tools, r.Results)
				}
			}
			t.Logf("%s %s: %d requests", agent.Name, agent.Version(ctx), len(model.Requests()))
		})
	}
}

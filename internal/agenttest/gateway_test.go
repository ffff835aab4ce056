//go:build agents

package agenttest_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

// violation is what the rule of these tests forbids.
const violation = "forbidden_word"

// gatewayCase is a turn of an agent behind a gateway.
type gatewayCase struct {
	name   string
	script func(r *modeltest.Request, file string, turn *atomic.Int64) modeltest.Answer
	file   string // what the file holds in the end; "": there is none
	fires  int    // how often the model was asked again
	passes bool   // the violation may reach the agent in the end
}

func told(r *modeltest.Request) int { return strings.Count(r.Text, "<system-interrupt") }

var gatewayCases = []gatewayCase{
	{name: "text", file: "hello", fires: 1, script: func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		switch {
		case len(r.Results) > 0 || r.Said > 0:
			return modeltest.Answer{Text: "Done."}
		case told(r) > 0:
			return modeltest.Answer{Text: "I write it.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}}
		}
		return modeltest.Answer{Text: "First I say " + violation + " here."}
	}},
	{name: "call", file: "hello", fires: 1, script: func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		switch {
		case len(r.Results) > 0 || r.Said > 0:
			return modeltest.Answer{Text: "Done."}
		case told(r) > 0:
			return modeltest.Answer{Text: "Again.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}}
		}
		return modeltest.Answer{Text: "I write it.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, violation+"\n")}}
	}},
	{name: "second call", file: "hello", fires: 0, script: func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		if r.Said > 0 {
			return modeltest.Answer{Text: "Done."}
		}
		return modeltest.Answer{Text: "Two.", Calls: []modeltest.Call{
			agenttest.WriteFile(r, file, "hello\n"), agenttest.WriteFile(r, file+".2", violation+"\n"),
		}}
	}},
	{name: "twice in a row", file: "hello", fires: 2, script: func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		switch {
		case len(r.Results) > 0 || r.Said > 0:
			return modeltest.Answer{Text: "Done."}
		case told(r) > 1:
			return modeltest.Answer{Text: "Third.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}}
		}
		return modeltest.Answer{Text: "I try.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, violation+"\n")}}
	}},
	{name: "budget", file: violation, fires: 3, passes: true, script: func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		if len(r.Results) > 0 || r.Said > 0 {
			return modeltest.Answer{Text: "Done."}
		}
		return modeltest.Answer{Text: "I insist.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, violation+"\n")}}
	}},
	{name: "upstream cut", file: "hello", script: func(r *modeltest.Request, file string, turn *atomic.Int64) modeltest.Answer {
		a := modeltest.Answer{Text: "I write it now, a little at a time.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}, Piece: 4}
		if len(r.Results) > 0 || r.Said > 0 {
			return modeltest.Answer{Text: "Done."}
		}
		if turn.Add(1) == 1 {
			a.Cut = 5
		}
		return a
	}},
}

// TestGateway: real agents behind `pertain with`. What breaks a rule never reaches them,
// and their turn ends well.
func TestGateway(t *testing.T) {
	modules := os.Getenv("PERTAIN_AGENTS")
	if modules == "" {
		t.Skip("PERTAIN_AGENTS names no folder with agents; .ci/agents installs them")
	}
	pertain := filepath.Join(t.TempDir(), "pertain")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", pertain, "../../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found, missing := agenttest.Find(modules)
	t.Logf("not installed: %s", strings.Join(missing, " "))
	for _, agent := range found {
		for _, c := range gatewayCases {
			t.Run(agent.Name+"/"+c.name, func(t *testing.T) { runGateway(t, pertain, agent, c) })
		}
		t.Run(agent.Name+"/client gone", func(t *testing.T) { runGone(t, pertain, agent) })
	}
}

// world makes a home and a folder with a rule.
func world(t *testing.T) (home, dir, file string) {
	t.Helper()
	home, dir = t.TempDir(), t.TempDir()
	rules := filepath.Join(dir, ".omp", "rules")
	if err := os.MkdirAll(rules, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(rules, "no-word.md"), []byte("---\nttsr_trigger: "+violation+"\n---\nNever write that word.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return home, dir, filepath.Join(dir, "hello.txt")
}

func runGateway(t *testing.T, pertain string, agent agenttest.Agent, c gatewayCase) {
	home, dir, file := world(t)
	var turn atomic.Int64
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if len(r.Tools) == 0 {
			return modeltest.Answer{Text: "A title."}
		}
		return c.script(r, file, &turn)
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd, err := agent.With(ctx, pertain, agenttest.Turn{Home: home, Dir: dir, URL: model.URL, Prompt: "Write hello.txt, please."})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var code *exec.ExitError
	if err != nil && !errors.As(err, &code) || ctx.Err() != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	text, _ := os.ReadFile(file)
	if c.name == "upstream cut" && agent.Name == "gemini" { // it sees that the answer was cut, and does not ask again
		c.file = ""
	}
	if strings.TrimSpace(string(text)) != c.file {
		t.Errorf("the file holds %q", text)
	}
	if !c.passes && strings.Contains(out.String(), violation) {
		t.Errorf("the agent has got the violation")
	}
	if _, err := os.Stat(file + ".2"); err == nil {
		t.Errorf("the second call was run")
	}
	most := 0
	for _, r := range model.Requests() {
		most = max(most, told(r))
	}
	want := c.fires
	if c.name == "second call" && agent.Name != "gemini" { // Gemini's calls come whole, one event each
		want = 1
	}
	if most < want {
		t.Errorf("the model was reminded %d times", most)
	}
	if t.Failed() {
		t.Logf("%s", out.String())
		for _, r := range model.Requests() {
			t.Logf("%s stream %v, said %d, reminded %d, results %q, body %.3000s", r.API, r.Stream, r.Said, told(r), r.Results, tail(string(r.Body), 3000))
		}
	}
}

func tail(s string, n int) string { return s[max(len(s)-n, 0):] }

// runGone: an agent that is ended in the middle of an answer ends the gateway and the
// upstream's answer, too.
func runGone(t *testing.T, pertain string, agent agenttest.Agent) {
	home, dir, _ := world(t)
	asked := make(chan struct{}, 100)
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer {
		asked <- struct{}{}
		return modeltest.Answer{Text: strings.Repeat("slowly ", 1000), Piece: 7, Pause: 100 * time.Millisecond}
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd, err := agent.With(ctx, pertain, agenttest.Turn{Home: home, Dir: dir, URL: model.URL, Prompt: "Talk, please."})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-ctx.Done():
		t.Fatal("the agent has asked nothing")
	}
	agenttest.Terminate(cmd)
	if err := cmd.Wait(); ctx.Err() != nil {
		t.Errorf("it does not end: %v", err)
	}
}

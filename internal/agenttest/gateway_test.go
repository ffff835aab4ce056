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

// gatewayRules are that rule, and one that a hook gives.
var gatewayRules = map[string]string{
	".omp/rules/no-word.md": "---\nttsr_trigger: " + violation + "\n---\nNever write that word.\n",
	".omp/rules/texts.md":   "---\nglobs: '**/*.txt'\n---\nUse short lines, said the rule.\n",
}

// gatewayCase is a turn of an agent behind a gateway.
type gatewayCase struct {
	name    string
	script  func(r *modeltest.Request, file string, turn *atomic.Int64) modeltest.Answer
	file    string   // what the file holds in the end; "": there is none
	told    int      // how many reminders the model has in the end
	journal []string // what the journal has of the rule
	passes  bool     // the violation may reach the agent in the end
	hooks   bool     // the agent is connected by hooks, too
	short   bool     // it is tried with every change
}

func told(r *modeltest.Request) int { return strings.Count(r.Text, "<system-interrupt") }

// done ends the turn.
var done = modeltest.Answer{Text: "All done."}

// breaks is a script in which a file is written, with the violation until the model was reminded often enough.
func breaks(times int) func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
	return func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		switch {
		case r.Ran > 0:
			return done
		case told(r) >= times:
			return modeltest.Answer{Text: "I write it well.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}}
		}
		return modeltest.Answer{Text: "I write it.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, violation+"\n")}}
	}
}

var gatewayCases = []gatewayCase{
	{name: "text", file: "hello", told: 1, journal: []string{"interrupted heeded"}, script: func(r *modeltest.Request, file string, turn *atomic.Int64) modeltest.Answer {
		if r.Ran == 0 && told(r) == 0 {
			return modeltest.Answer{Text: "First I say " + violation + " here."}
		}
		return breaks(1)(r, file, turn)
	}},
	{name: "call", file: "hello", told: 1, journal: []string{"interrupted heeded"}, short: true, script: breaks(1)},
	{name: "second call", file: "hello", told: 1, journal: []string{"interrupted heeded"}, short: true, script: func(r *modeltest.Request, file string, _ *atomic.Int64) modeltest.Answer {
		if r.Ran > 0 {
			return done
		}
		return modeltest.Answer{Text: "Two.", Calls: []modeltest.Call{
			agenttest.WriteFile(r, file, "hello\n"), agenttest.WriteFile(r, file+".2", violation+"\n"),
		}}
	}},
	{name: "twice in a row", file: "hello", told: 2, journal: []string{"interrupted heeded", "interrupted unheeded"}, script: breaks(2)},
	{name: "budget", file: violation, told: 3, journal: []string{"interrupted unheeded", "interrupted unheeded", "interrupted unheeded", "passed"}, passes: true, script: breaks(4)},
	{name: "upstream cut", file: "hello", script: func(r *modeltest.Request, file string, turn *atomic.Int64) modeltest.Answer {
		if r.Ran > 0 {
			return done
		}
		a := modeltest.Answer{Text: "I write it now, a little at a time.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, "hello\n")}, Piece: 4}
		if turn.Add(1) == 1 {
			a.Cut = 5
		}
		return a
	}},
	{name: "hooks below", file: "hello", told: 1, journal: []string{"interrupted heeded"}, hooks: true, script: breaks(1)},
}

// TestGateway: real agents behind `pertain with`. What breaks a rule never reaches them, the model is reminded once for each time
// and keeps that, and their turn ends well.
func TestGateway(t *testing.T) {
	bin := builtProgram(t)
	for _, agent := range agents(t) {
		t.Run(agent.Name, func(t *testing.T) {
			t.Parallel()
			if !testing.Short() {
				keepsResult(t, agent, func(r *result, ok bool) { r.Gateway = ok })
			}
			for _, c := range gatewayCases {
				if testing.Short() && !c.short || c.hooks && hookless[agent.Name] {
					continue
				}
				t.Run(c.name, func(t *testing.T) { runGateway(t, bin, agent, c) })
			}
			t.Run("client gone", func(t *testing.T) { runGone(t, bin, agent) })
		})
	}
}

func runGateway(t *testing.T, bin string, agent agenttest.Agent, c gatewayCase) {
	w := newWorld(t, agent, bin, gatewayRules)
	file := filepath.Join(w.dir, "hello.txt")
	turn := agenttest.Turn{Home: w.home, Dir: w.dir, Prompt: "Write hello.txt, please.", Env: w.env}
	if c.hooks {
		w.pertain("setup", agent.Name, "--hooks")
		if agent.Name != "gemini" { // it has a model already
			turn.Args = trusting[agent.Name]
		}
	}
	var count atomic.Int64
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if len(r.Tools) == 0 {
			return modeltest.Answer{Text: "A title."}
		}
		return c.script(r, file, &count)
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	turn.URL = model.URL
	cmd := w.behind(ctx, turn)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var code *exec.ExitError
	if err != nil && !errors.As(err, &code) || ctx.Err() != nil {
		t.Errorf("%v", err)
	}
	gaveUp := c.name == "upstream cut" && givesUp[agent.Name]
	if text, _ := os.ReadFile(file); strings.TrimSpace(string(text)) != c.file && !(gaveUp && len(text) == 0) {
		t.Errorf("the file holds %q", text)
	}
	if !c.passes && strings.Contains(out.String(), violation) {
		t.Errorf("the agent has got the violation")
	}
	if !gaveUp && !strings.Contains(out.String(), done.Text) {
		t.Errorf("the turn did not end well")
	}
	if _, err := os.Stat(file + ".2"); err == nil {
		t.Errorf("the second call was run")
	}
	last := 0 // reminders that the model has in the end
	for _, r := range model.Requests() {
		if len(r.Tools) > 0 && r.Ran > 0 {
			last = told(r)
		}
	}
	if last != c.told {
		t.Errorf("the model has %d reminders", last)
	}
	w.journals("no-word", c.journal)
	if c.hooks && !model.Saw("Use short lines, said the rule.") {
		t.Errorf("a rule that a hook gives did not reach the model")
	}
	if t.Failed() {
		t.Logf("%s", out.String())
		for _, r := range model.Requests() {
			t.Logf("%s stream %v, ran %d, reminded %d, results %q, body %.3000s", r.API, r.Stream, r.Ran, told(r), r.Results, tail(string(r.Body), 3000))
		}
	}
}

// behind is the agent behind a gateway.
func (w *world) behind(ctx context.Context, turn agenttest.Turn) *exec.Cmd {
	w.t.Helper()
	cmd, err := w.agent.With(ctx, filepath.Join(w.bin, "pertain"), turn)
	if err != nil {
		w.t.Fatal(err)
	}
	return cmd
}

// givesUp are agents that see that an answer was cut, and do not ask again.
var givesUp = map[string]bool{"gemini": true}

func tail(s string, n int) string { return s[max(len(s)-n, 0):] }

// runGone: an agent that is ended in the middle of an answer ends the gateway and the
// upstream's answer, too.
func runGone(t *testing.T, bin string, agent agenttest.Agent) {
	w := newWorld(t, agent, bin, gatewayRules)
	asked, over := make(chan struct{}, 100), make(chan bool, 100)
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer {
		asked <- struct{}{}
		return modeltest.Answer{Text: strings.Repeat("slowly ", 1000), Piece: 7, Pause: 100 * time.Millisecond, Over: func(whole bool) { over <- whole }}
	})
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := w.behind(ctx, agenttest.Turn{Home: w.home, Dir: w.dir, URL: model.URL, Prompt: "Talk, please.", Env: w.env})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-ctx.Done():
		t.Fatal("the agent has asked nothing")
	}
	if agent.Name == "cline" {
		_ = cmd.Cancel() // it goes on with the answer when it is asked to end
	} else {
		agenttest.Terminate(cmd)
	}
	if err := cmd.Wait(); ctx.Err() != nil {
		t.Errorf("it does not end: %v", err)
	}
	select {
	case whole := <-over:
		if whole {
			t.Error("the upstream was heard to the end")
		}
	case <-ctx.Done():
		t.Error("the upstream's answer goes on")
	}
}

// Command embed shows the engine inside of a program: it opens strategies, matches a
// situation, says why, and makes the prompt of the first one that is recommended.
//
//	go run ./examples/embed examples/situation.json
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: embed SITUATION.json")
	}
	env := pertain.Environment{Dir: ".", Env: os.Getenv, Strategies: []string{"examples/strategies"}, NoBuiltin: true}
	if err := run(context.Background(), os.Stdout, env, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer, env pertain.Environment, situation string) error {
	location, err := pertain.Locate(env)
	if err != nil {
		return err // the settings cannot be read
	}
	engine, err := pertain.Open(ctx, location.Options)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(situation)
	if err != nil {
		return err
	}
	snapshot, err := facts.Decode(situation, data)
	if err != nil {
		return err
	}
	match, err := engine.Match(ctx, snapshot, pertain.MatchOptions{})
	if err != nil {
		return err
	}
	for _, c := range match.Candidates {
		fmt.Fprintln(out, c.Strategy.ID, "-", c.Strategy.Name)
	}
	if len(match.Candidates) == 0 {
		return nil
	}
	last := match.Candidates[len(match.Candidates)-1].Strategy.ID
	explanation, _ := engine.Explain(last, snapshot, pertain.ExplainOptions{})
	fmt.Fprintln(out, last, "because of", explanation.Reasons())
	execution, _, err := engine.Plan(ctx, last, snapshot, pertain.PlanOptions{Input: "In two sentences."})
	if err != nil {
		return err
	}
	if execution.Plan == nil {
		return fmt.Errorf("no prompt: %s", execution.Reason)
	}
	_, err = fmt.Fprintln(out, execution.Plan.Prompt)
	return err
}

package stream_test

import (
	"context"
	"fmt"

	"github.com/pertain-dev/pertain/stream"
)

func Example() {
	set, _ := stream.Compile([]stream.Trigger{{
		Name: "no-unwrap", Path: ".omp/rules/no-unwrap.md",
		Patterns: []string{`\.unwrap\(\)`},
		Body:     "Return the error with `?`.",
	}}, stream.Options{})
	ctx := context.Background()
	watcher, _ := stream.NewWatcher(ctx, set, nil, stream.Policy{})
	watcher.StartUserTurn()
	watcher.StartTurn()
	for _, piece := range []string{"let x = y", ".unw", "rap()", ";"} {
		verdict, _ := watcher.Feed(ctx, stream.Source{Kind: stream.Text}, piece)
		if verdict.Interrupt {
			fmt.Println(verdict.Injection())
			break
		}
	}
	// Output:
	// <system-interrupt reason="rule_violation" rule="no-unwrap" path=".omp/rules/no-unwrap.md">
	// Return the error with `?`.
	// </system-interrupt>
}

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
			fmt.Println(verdict.Injection())   // sent with the request again
			_ = watcher.Injected(ctx, verdict) // the model was shown it
			break
		}
	}
	// Output:
	// <system-interrupt reason="rule_violation" rule="no-unwrap" path=".omp/rules/no-unwrap.md">
	// Return the error with `?`.
	// </system-interrupt>
}

func ExampleWatcher_FeedCall() {
	set, _ := stream.Compile([]stream.Trigger{{
		Name: "no-eval", Patterns: []string{`eval\("`}, Scope: []string{"tool:write(*.ts)"},
	}}, stream.Options{})
	ctx := context.Background()
	watcher, _ := stream.NewWatcher(ctx, set, nil, stream.Policy{})
	watcher.StartUserTurn()
	watcher.StartTurn()
	call := stream.Call{Tool: "write_file", ID: "call_1"}
	for _, piece := range []string{`{"path": "src/a.ts", "cont`, `ent": "eval(\`, `"1\")"}`} {
		verdict, _ := watcher.FeedCall(ctx, call, piece)
		for _, f := range verdict.Fired {
			fmt.Println(f.Trigger.Name, "in", f.Source.Paths[0], "up to byte", f.Offset)
		}
	}
	// Output: no-eval in src/a.ts up to byte 6
}

package plan_test

import (
	"context"
	"fmt"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

func Example() {
	in := plan.Execution{
		Strategy: &strategy.Strategy{ID: "user.errors", Name: "Explain this error", Body: "Explain: {clipboard.text}\n"},
		Snapshot: facts.NewSnapshot(facts.Parts{}).With("clipboard.text", facts.Text("exit status 2")),
	}
	p, problems, err := plan.Build(context.Background(), plan.Preprocessors(), in, plan.Options{})
	if err != nil {
		panic(err) // the context was cancelled
	}
	fmt.Print(len(problems), " ", p.Prompt)
	// Output: 0 Explain: exit status 2
}

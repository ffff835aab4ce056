package cond_test

import (
	"context"
	"fmt"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

func Example() {
	source := diag.NewSource("when.yaml", "all:\n- clipboard.text: { startsWith: https:// }\n- none: [{ environment.os: { equals: windows } }]\n")
	node, _ := document.ParseYAML(source)
	expr, problems := cond.Parse(node)
	program, more := cond.Compile(expr)
	fmt.Println(append(problems, more...).HasErrors(), expr.Needs().Names())

	snapshot := facts.NewSnapshot(facts.Parts{}).
		With("clipboard.text", facts.Text("https://example.org")).
		With("environment.os", facts.Text("linux"))
	var notes diag.List
	result, trace := program.Explain(cond.NewEvaluation(snapshot), cond.DefaultLimits(), &notes, false)
	fmt.Println(result)
	for _, part := range trace.Children {
		fmt.Println(part.Kind, part.Label, part.Result)
	}
	// Output:
	// false [clipboard.text]
	// true
	// path clipboard.text true
	// none none true
}

// Many conditions are compiled together, so that the time of a match follows what is
// true now.
func ExampleSet() {
	var conditions []cond.Condition
	for _, text := range []string{"{ clipboard.text: { contains: a } }", "{ clipboard.text: { contains: b } }", "true"} {
		node, _ := document.ParseYAML(diag.NewSource("when", text))
		expr, _ := cond.Parse(node)
		program, _ := cond.Compile(expr)
		conditions = append(conditions, cond.Condition{Program: program})
	}
	set := cond.NewSet(conditions)
	snapshot := facts.NewSnapshot(facts.Parts{}).With("clipboard.text", facts.Text("bcd"))
	set.Match(context.Background(), cond.NewEvaluation(snapshot), func(hit cond.Hit) { fmt.Println(hit.Condition, hit.Result) })
	// Output:
	// 1 true
	// 2 true
}

package diag_test

import (
	"os"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

func Example() {
	text := "---\nname: Notes\npriorty: 5\n---\n"
	source := diag.NewSource("notes.strategy.md", text)
	at := strings.Index(text, "priorty")
	var list diag.List
	list.Add(diag.At(source, diag.Span{Start: at, End: at + len("priorty")}, diag.StrategyUnknownField, "there is no field `priorty`").
		WithHint("did you mean `priority`?"))
	if err := diag.Text(os.Stdout, list, diag.TextOptions{}); err != nil {
		panic(err)
	}
	// Output:
	// warning[strategy.unknown_field]: there is no field `priorty`
	//   --> notes.strategy.md:3:1
	//   |
	// 3 | priorty: 5
	//   | ^^^^^^^
	//   = hint: did you mean `priority`?
}

package strategy_test

import (
	"context"
	"fmt"

	"github.com/pertain-dev/pertain/strategy"
)

// The zero Normalizer reads a file that takes nothing from others.
func Example() {
	const text = "---\nname: Explain this error\npriority: 5\nwhen: { clipboard.text: { contains: error } }\n---\nExplain: {clipboard.text}\n"
	s := new(strategy.Normalizer).Normalize(context.Background(), "errors.strategy.md", []byte(text), strategy.Origin{Provider: "user", Path: "errors.strategy.md", Trusted: true})
	fmt.Println(s.Valid, s.ID, s.Name, s.Priority, s.Needs.Names())
	// Output: true user.errors Explain this error 5 [clipboard.text]
}

package regex_test

import (
	"fmt"
	"time"

	"github.com/pertain-dev/pertain/internal/regex"
)

func Example() {
	re, bad := regex.Compile(`\bTODO\b`, regex.Options{IgnoreCase: true})
	if bad != nil {
		fmt.Println(bad.Message)
		return
	}
	matched, outcome := re.MatchString("a todo is left", regex.Limit{Time: 50 * time.Millisecond})
	fmt.Println(matched, outcome == regex.Ok, re.Required().Any)

	_, bad = regex.Compile(`(?P<name>x)`, regex.Options{})
	fmt.Printf("%d: %s (%s)\n", bad.Offset, bad.Message, bad.Hint)
	// Output:
	// true true [todo]
	// 0: what follows (? is no kind of group (in .NET a named group is (?<name>...))
}

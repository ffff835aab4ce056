package reference_test

import (
	"fmt"

	"github.com/pertain-dev/pertain/docs/reference"
)

func ExampleEntry() {
	text, ok := reference.Entry("exit-codes", "130")
	fmt.Println(ok, text != "")
	_, ok = reference.Entry("exit-codes", "no such code")
	fmt.Println(ok)
	// Output:
	// true true
	// false
}

package toolcall_test

import (
	"fmt"

	"github.com/pertain-dev/pertain/toolcall"
)

// What a tool call of any agent adds to which file.
func ExampleRead() {
	for _, segment := range toolcall.Read("Write", `{"file_path": "a.js", "content": "eval(input)"}`) {
		fmt.Println(segment.Path, segment.Text)
	}
	// Output: a.js eval(input)
}

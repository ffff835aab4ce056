package imports_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/imports"
	"github.com/pertain-dev/pertain/internal/goldentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares what is found in texts with what testdata/golden says: the code and the comments of Markdown, and the files
// that each agent takes a line to name. What stands below `=>` is written by -update.
func TestGolden(t *testing.T) {
	goldentest.Form{Begin: "## ", Outcome: "=>"}.Run(t, "testdata/golden/texts.txt", *update, func(t *testing.T, c goldentest.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text) {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			text, err := strconv.Unquote(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			switch c.Head {
			case "code":
				fmt.Fprintf(&b, "%s\n%s\n", line, strings.TrimSpace(imports.Code(text)))
			case "mentions":
				for _, of := range []string{"claude", "gemini", "goose", "kiro", "qwen", "copilot"} {
					fmt.Fprintf(&b, "%s %s: %q\n", line, of, imports.Mentions(of, text))
				}
			default:
				t.Fatalf("there is no kind %s", c.Head)
			}
		}
		return b.String()
	})
}

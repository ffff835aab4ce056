package gitignore_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/internal/goldentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares what lines name with what testdata/golden says: each line there has a pattern and the paths that it is
// tried with, those of folders with a slash at their end, and what follows `=>` is written by -update.
func TestGolden(t *testing.T) {
	goldentest.Form{Begin: "## ", Outcome: "=>"}.Run(t, "testdata/golden/patterns.txt", *update, func(t *testing.T, c goldentest.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text) {
			var words []string
			for rest := strings.TrimSpace(line); rest != ""; {
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				word, _ := strconv.Unquote(quoted)
				words, rest = append(words, word), strings.TrimSpace(rest[len(quoted):])
			}
			if len(words) == 0 {
				continue
			}
			for _, path := range words[1:] {
				name, isFolder := strings.CutSuffix(path, "/")
				named, steps, ok := gitignore.IgnoredBy(words[0], name, isFolder)
				fmt.Fprintf(&b, "%q %q: %t %t %d\n", words[0], path, named, ok, steps)
			}
		}
		return b.String()
	})
}

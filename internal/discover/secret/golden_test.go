package secret_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/goldentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares what is told of files with what testdata/golden says: each line there is a path, which is the text as well
// if none follows, and what stands below `=>` is written by -update.
func TestGolden(t *testing.T) {
	goldentest.Form{Begin: "## ", Outcome: "=>"}.Run(t, "testdata/golden/files.txt", *update, func(t *testing.T, c goldentest.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text) {
			line = strings.TrimSpace(line)
			var words []string
			for rest := line; rest != ""; {
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
			path, text := words[0], []byte(words[len(words)-1])
			name, folder := secret.HasName(path), secret.InFolder(path)
			fmt.Fprintf(&b, "%s name %t folder %t text %t\n", line, name, folder, secret.Holds(path, text))
			if secret.Looks(path) != (name || folder) {
				t.Errorf("%s: looks like a secret: %t", path, secret.Looks(path))
			}
		}
		return b.String()
	})
}

// TestText: what people write is told by its end, in any case, after a name.
func TestText(t *testing.T) {
	for path, want := range map[string]struct{ text, markdown bool }{
		"a.md": {true, true}, "x/A.MD": {true, true}, "a.mdc": {true, true}, "a.Markdown": {true, true}, "a.txt": {true, false},
		".md": {}, "x/.md": {}, ".txt": {}, "x/.mdc": {}, "md": {}, "a.md.bak": {}, "a.text": {}, "x.md/a": {}, "": {}, "a/": {},
	} {
		if text, markdown := secret.IsText(path), secret.IsMarkdown(path); text != want.text || markdown != want.markdown {
			t.Errorf("%q: text %t, Markdown %t", path, text, markdown)
		}
	}
}

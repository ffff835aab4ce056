// Package patch writes changes of files for people and for patch(1): [Unified].
package patch

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Unified is the difference of two texts of a file. A file that did not exist, or that has no text afterwards, is /dev/null.
func Unified(name, old string, existed bool, text string) string {
	before, after := "a/"+strings.TrimPrefix(name, "/"), "b/"+strings.TrimPrefix(name, "/")
	if !existed {
		before = "/dev/null"
	}
	if text == "" {
		after = "/dev/null"
	}
	out := string(diff.Diff(before, []byte(old), after, []byte(text)))
	_, out, _ = strings.Cut(out, "\n") // its first line is a command of diff
	return out
}

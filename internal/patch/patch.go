// Package patch writes changes of files for people and for patch(1): [Unified]. Who writes the lines of a change otherwise takes
// the two lines above them from [Header].
package patch

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

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
	out := string(diff.Diff("", []byte(old), "", []byte(text)))
	if out == "" {
		return ""
	}
	for range 3 { // a command of diff, and its two lines with names
		_, out, _ = strings.Cut(out, "\n")
	}
	return Header(before, after) + out
}

// Header is the two lines that name the file before and after a change.
func Header(before, after string) string {
	return "--- " + quoted(before) + "\n+++ " + quoted(after) + "\n"
}

// quoted is a name as git writes it: a line end in it would begin a line of the diff, which whoever named the file chose. What
// nobody sees is written as bytes; letters of all languages stay. After a name with a space comes a tab, without which patch(1) takes
// what is before the space for the name.
func quoted(name string) string {
	name = filepath.ToSlash(name)
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch at := strings.IndexByte("\a\b\t\n\v\f\r\"\\", name[i]); {
		case at >= 0:
			b.WriteString(`\` + `abtnvfr"\`[at:at+1])
		case r == utf8.RuneError && size == 1 || !unicode.IsGraphic(r):
			for _, c := range []byte(name[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteString(name[i : i+size])
		}
		i += size
	}
	switch {
	case b.String() != name:
		return `"` + b.String() + `"`
	case strings.Contains(name, " "):
		return name + "\t"
	}
	return name
}

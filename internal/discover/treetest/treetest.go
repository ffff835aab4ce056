// Package treetest is for tests: it makes trees of files in memory, the same ones as
// Unix and as Windows has them.
//
// Use [Make] first.
package treetest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// Path is an absolute path, with slashes, as a flavor writes it: on drive C: of Windows.
func Path(flavor files.Flavor, path string) string {
	if flavor == files.Windows {
		return `C:` + strings.ReplaceAll(path, "/", `\`)
	}
	return path
}

// Make puts into a tree what the lines say: PATH alone, PATH "TEXT", PATH "TEXT" * TIMES, PATH -> TARGET, and a word before a path for
// what is no plain file (folder, pipe) or happens to one (closed, foreign, shared). Paths are as [Path] takes them.
func Make(t testing.TB, tree *files.Memory, lines string) {
	t.Helper()
	at := func(path string) string { return Path(tree.Flavor(), path) }
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(rest, "-> "):
			target := rest[3:]
			if strings.HasPrefix(target, "/") {
				target = at(target)
			}
			tree.MakeLink(target, at(first))
		case first == "folder":
			tree.MakeFolder(at(rest))
		case first == "pipe":
			tree.MakeSpecial(at(rest))
		case first == "closed":
			tree.Close(at(rest))
		case first == "foreign":
			tree.GiveAway(at(rest))
		case first == "shared":
			tree.Share(at(rest))
		case line != "":
			quoted, times, many := strings.Cut(rest, "*")
			text, err := strconv.Unquote(strings.TrimSpace(quoted))
			if !strings.HasPrefix(rest, `"`) { // a path alone holds itself
				text, err, many = "Text of "+first+".", nil, false
			} else if err != nil || many && strings.HasSuffix(strings.TrimSpace(rest), `"`) {
				many = false
				text, err = strconv.Unquote(rest)
			}
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if many {
				n, err := strconv.Atoi(strings.TrimSpace(times))
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				text = strings.Repeat(text, n)
			}
			tree.WriteFile(at(strings.ReplaceAll(first, "␣", " ")), text)
		}
	}
}

package gitignore

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// list is the lines of .gitignore that hold in a folder: its own, then those
// of the folders above.
type list struct {
	above *list
	base  string // the folder, relative to the root, with a slash at its end; empty for the root
	lines []pattern

	within files.Bounds // of the project
	spent  *effort
}

// effort counts what the lines of a project cost: they are a stranger's, and
// every name is compared with all of them.
type effort struct {
	steps int // of comparing
	bytes int // of files that were read
	files int // that were left out since there were too many bytes
}

// Limits of one walk. Git's own repository takes some ten thousand steps.
const (
	maxSteps = 500_000_000
	maxSum   = 2 << 20 // bytes of all files
)

// exceeded says which limit was reached; nil: none.
func (e *effort) exceeded(path string) error {
	switch {
	case e.files > 0:
		return &files.LimitError{Path: path, What: "bytes of .gitignore", Max: maxSum}
	case e.steps > maxSteps:
		return &files.LimitError{Path: path, What: "comparisons with the lines of .gitignore", Max: maxSteps}
	}
	return nil
}

type pattern struct {
	glob       glob
	anywhere   bool // without a slash: the name of a file in any folder
	keep       bool // `!`: not ignored after all
	folderOnly bool
}

const (
	maxBytes = 1 << 20 // of one file
	maxLine  = 4096    // bytes: no path that it could name is longer
)

func newList(tree files.Tree, root string) *list {
	within, spent := files.Below(tree, root), &effort{}
	// A work tree's folder lies where its repository is; what is read there is never shown.
	shared := &list{lines: spent.read(tree, tree.Flavor().Join(gitFolder(tree, root), "info/exclude"), files.Anywhere()), spent: spent}
	return &list{above: shared, lines: spent.read(tree, tree.Flavor().Join(root, ".gitignore"), within), within: within, spent: spent}
}

// gitFolder is where git keeps what all work trees of a repository share. Of a
// work tree and of a submodule `.git` is a file that names a folder, and that
// folder's `commondir` may name another.
func gitFolder(tree files.Tree, root string) string {
	flavor := tree.Flavor()
	folder := flavor.Join(root, ".git")
	if named, ok := files.GitPointer(tree, root, folder, "gitdir:"); ok {
		folder = named
	}
	if common, ok := files.GitPointer(tree, folder, flavor.Join(folder, "commondir"), ""); ok {
		folder = common
	}
	return folder
}

// enter is what holds in a subfolder.
func (g *list) enter(tree files.Tree, path, rel string) *list {
	lines := g.spent.read(tree, tree.Flavor().Join(path, ".gitignore"), g.within)
	if lines == nil {
		return g
	}
	return &list{above: g, base: rel + "/", lines: lines, within: g.within, spent: g.spent}
}

func (e *effort) read(tree files.Tree, path string, within files.Bounds) []pattern {
	data, _, err := files.ReadWithin(tree, path, within, maxBytes)
	if err != nil {
		return nil
	}
	if e.bytes += len(data); e.bytes > maxSum {
		e.files++
		return nil
	}
	var out []pattern
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if l, ok := parsePattern(strings.TrimRight(line, "\r\n")); ok {
			out = append(out, l)
		}
	}
	return out
}

// parsePattern reads one line.
func parsePattern(line string) (pattern, bool) {
	line = trimEnd(line)
	if line == "" || len(line) > maxLine || strings.HasPrefix(line, "#") {
		return pattern{}, false
	}
	var l pattern
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		l.keep, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		l.folderOnly, line = true, rest
	}
	l.anywhere = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return l, false
	}
	g, ok := parseGlob(line)
	l.glob = g
	return l, ok
}

// trimEnd takes off the spaces at the end, but for one after a backslash.
func trimEnd(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
			end = min(i+1, len(line))
		} else if line[i] != ' ' {
			end = i + 1
		}
	}
	return line[:end]
}

// names tells whether a path, relative to the root, is ignored: the last line
// that matches decides, those of nearer folders first.
func (g *list) names(rel string, isFolder bool) bool {
	for ; g != nil; g = g.above {
		inner := strings.TrimPrefix(rel, g.base)
		name := inner[strings.LastIndexByte(inner, '/')+1:]
		g.spent.steps += len(g.lines)
		for i := len(g.lines) - 1; i >= 0; i-- {
			l := &g.lines[i]
			path := inner
			if l.anywhere {
				path = name
			}
			if g.spent.steps > maxSteps {
				return false // the walk ends here
			}
			if (isFolder || !l.folderOnly) && l.glob.match(path, &g.spent.steps) {
				return !l.keep
			}
		}
	}
	return false
}

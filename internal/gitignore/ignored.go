package gitignore

import (
	"os"

	"github.com/pertain-dev/pertain/internal/files"
)

// Ignored tells which files of a folder git ignores: by the file .gitignore of
// that folder and of those above, and by lists that hold everywhere.
type Ignored struct {
	lines *list
	spent *effort // of the whole repository
}

// New begins at the root of a repository on the real disk. Of the lists,
// which hold everywhere, later ones come before earlier ones.
func New(root string, lists ...string) (ignored Ignored, whole bool) {
	whole, ignored.spent = true, &effort{}
	for _, path := range lists {
		if path == "" {
			continue
		}
		lines, ok := ignored.spent.readWhole(path)
		ignored.lines, whole = &list{above: ignored.lines, lines: lines, spent: ignored.spent}, whole && ok
	}
	below, ok := ignored.Enter(root, "")
	return below, whole && ok
}

// Enter is what holds in a folder; rel is its path from the root, with slashes and
// empty for the root itself. It is not whole if a list was there that could not be
// read. As for git, a link is no list.
func (g Ignored) Enter(path, rel string) (below Ignored, whole bool) {
	file := files.OS().Flavor().Join(path, ".gitignore")
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return g, true
	}
	lines, ok := g.spent.readWhole(file)
	base := rel
	if base != "" {
		base += "/"
	}
	return Ignored{&list{above: g.lines, base: base, lines: lines, spent: g.spent}, g.spent}, ok
}

// Names tells whether a path, relative to the root, is ignored, or may be: see
// Decided.
func (g Ignored) Names(rel string, isFolder bool) bool {
	return g.lines.names(rel, isFolder) || !g.Decided()
}

// Decided tells whether all names could be compared with all lists; a stranger's
// lists may cost more than they are given.
func (g Ignored) Decided() bool { return g.spent.exceeded("") == nil }

// readWhole tells whether the list, if there is one, could be read.
func (e *effort) readWhole(path string) ([]pattern, bool) {
	if _, err := os.Lstat(path); err != nil {
		return nil, os.IsNotExist(err)
	}
	if _, err := files.OS().ReadFile(path, maxBytes); err != nil {
		return nil, false
	}
	return e.read(files.OS(), path, files.Anywhere()), true // what is read is never shown
}

package settings

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

const (
	maxWorkTrees = 256      // of one repository that are looked at
	maxGitFile   = 64 << 10 // of git's files with one path in them, in bytes
)

// workTrees are the other folders in which the files of a repository are checked out: whoever could put a program into one of
// them put it into all. Only those count that name each other, since anybody can write any path into such a file, and what is
// named here is kept from the user.
func workTrees(tree files.Tree, top string) []string {
	flavor := tree.Flavor()
	common := flavor.Join(top, ".git")
	var out []string
	if folder, ok := gitPointer(tree, top, common, "gitdir:"); ok {
		back, linked := gitPointer(tree, folder, flavor.Join(folder, "gitdir"), "")
		if !linked { // a submodule, or --separate-git-dir
			return linkedTrees(tree, top, folder)
		}
		if !samePath(tree, flavor.Dir(back), top) {
			return nil
		}
		common, ok = gitPointer(tree, folder, flavor.Join(folder, "commondir"), "")
		if !ok || !samePath(tree, flavor.Dir(folder), flavor.Join(common, "worktrees")) {
			return nil
		}
		if flavor.Base(common) == ".git" { // else it is a bare one
			out = append(out, flavor.Dir(common))
		}
	}
	return append(out, linkedTrees(tree, top, common)...)
}

// linkedTrees are the linked work trees of a git folder, but for one.
func linkedTrees(tree files.Tree, top, common string) []string {
	flavor := tree.Flavor()
	linked := flavor.Join(common, "worktrees")
	entries, err := tree.ReadDir(linked)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries[:min(len(entries), maxWorkTrees)] {
		folder := flavor.Join(linked, e.Name)
		file, ok := gitPointer(tree, folder, flavor.Join(folder, "gitdir"), "")
		if !ok {
			continue
		}
		other := flavor.Dir(file)
		if back, ok := gitPointer(tree, other, file, "gitdir:"); ok && samePath(tree, back, folder) && !samePath(tree, other, top) {
			out = append(out, other)
		}
	}
	return out
}

// gitPointer is the path in the first line of one of git's files.
func gitPointer(tree files.Tree, base, file, prefix string) (path string, ok bool) {
	data, _, err := files.ReadWithin(tree, file, files.Anywhere(), maxGitFile)
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(string(data), "\n")
	text, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r"), prefix)
	if text = strings.TrimSpace(text); !ok || text == "" || strings.ContainsRune(text, 0) {
		return "", false
	}
	return tree.Flavor().Abs(base, text), true
}

func samePath(tree files.Tree, a, b string) bool {
	if a == b {
		return true
	}
	first, err := tree.RealPath(a)
	if err != nil {
		return false
	}
	second, err := tree.RealPath(b)
	return err == nil && first == second
}

package settings

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
)

const maxWorkTrees = 256 // of one repository that are looked at

// workTrees are the other folders in which the files of a repository are checked out: whoever could put a program into one of
// them put it into all. Only those count that name each other, since anybody can write any path into such a file, and what is
// named here is kept from the user.
//
// common is the git folder of them all where this one is linked to it; else it is empty.
func workTrees(tree files.Tree, top string) (others []string, common string) {
	flavor := tree.Flavor()
	own := flavor.Join(top, ".git")
	folder, ok := files.GitPointer(tree, top, own, "gitdir:")
	if !ok {
		return linkedTrees(tree, top, own), ""
	}
	back, linked := files.GitPointer(tree, folder, flavor.Join(folder, "gitdir"), "")
	if !linked { // a submodule, or --separate-git-dir
		return linkedTrees(tree, top, folder), ""
	}
	if !samePath(tree, flavor.Dir(back), top) {
		return nil, ""
	}
	common, ok = files.GitPointer(tree, folder, flavor.Join(folder, "commondir"), "")
	if !ok || !samePath(tree, flavor.Dir(folder), flavor.Join(common, "worktrees")) {
		return nil, ""
	}
	if flavor.Base(common) == ".git" { // else it is a bare one, or says nothing of its main work tree
		others = append(others, flavor.Dir(common))
	}
	return append(others, linkedTrees(tree, top, common)...), common
}

// kin are the work trees around some folders that belong to the same repositories as others, as they themselves say: their git
// folder is a common one or lies in a stranger's folder, or they hold a common one, as the repository around a submodule does.
func kin(tree files.Tree, folders, strangers, commons []string) []string {
	real := func(paths []string) []string {
		var out []string
		for _, path := range paths {
			if found, err := tree.RealPath(path); err == nil {
				out = append(out, found)
			}
		}
		return out
	}
	strangers, commons = real(strangers), real(commons)
	flavor := tree.Flavor()
	var out []string
	for _, dir := range real(folders[:min(len(folders), maxWorkTrees)]) {
		top, ok := nearestGit(tree, dir)
		if !ok {
			continue
		}
		own := flavor.Join(top, ".git")
		if folder, ok := files.GitPointer(tree, top, own, "gitdir:"); ok {
			own = folder
		}
		own, err := tree.RealPath(own)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(strangers, func(s string) bool { return flavor.Inside(s, own) }) ||
			slices.ContainsFunc(commons, func(c string) bool { return c == own || flavor.Inside(top, c) }) {
			out = append(out, top)
		}
	}
	return out
}

// nearestGit is the folder at or above one that holds a `.git`, whoever it belongs to.
func nearestGit(tree files.Tree, dir string) (top string, ok bool) {
	for _, dir := range files.Upward(tree, dir, ".git") {
		if _, err := tree.Stat(tree.Flavor().Join(dir, ".git")); err == nil {
			return dir, true
		}
	}
	return "", false
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
		file, ok := files.GitPointer(tree, folder, flavor.Join(folder, "gitdir"), "")
		if !ok {
			continue
		}
		other := flavor.Dir(file)
		if back, ok := files.GitPointer(tree, other, file, "gitdir:"); ok && samePath(tree, back, folder) && !samePath(tree, other, top) {
			out = append(out, other)
		}
	}
	return out
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

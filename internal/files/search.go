package files

import "strings"

// FindUp looks for the nearest folder, start itself or one above it, that holds one of the names. It returns the folder and
// the name; of several names in one folder the one given first. What cannot be looked at counts as absent. The way up is the
// one that is written: links are not resolved.
//
// Above start, a folder of another user, and a name in it that another user made, do not count, as git does not take them for
// a repository (safe.directory): whoever may write a folder above could say otherwise what the rules are. [ForeignUp] tells of
// them.
func FindUp(tree Tree, start string, names ...string) (folder, name string, ok bool) {
	lookUp(tree, start, names, func(dir, found string, foreign bool) bool {
		if !foreign {
			folder, name, ok = dir, found, true
		}
		return foreign
	})
	return folder, name, ok
}

// ForeignUp is the nearest name that [FindUp] passes over because of its owner.
func ForeignUp(tree Tree, start string, names ...string) (path string, ok bool) {
	lookUp(tree, start, names, func(dir, found string, foreign bool) bool {
		if foreign {
			path, ok = tree.Flavor().Join(dir, found), true
		}
		return false
	})
	return path, ok
}

// lookUp calls found for each of the names at start and above, until that returns false.
func lookUp(tree Tree, start string, names []string, found func(dir, name string, foreign bool) bool) {
	f := tree.Flavor()
	top, err := tree.Abs(start)
	if err != nil {
		return
	}
	for dir := PresentFolder(tree, top); ; {
		for _, name := range names {
			info, err := tree.Stat(f.Join(dir, name))
			if err != nil {
				continue
			}
			foreign := false
			if dir != top {
				holder, err := tree.Stat(dir)
				foreign = info.Foreign || err != nil || holder.Foreign
			}
			if !found(dir, name, foreign) {
				return
			}
		}
		up := f.Dir(dir)
		if up == dir {
			return
		}
		dir = up
	}
}

// ForeignBelow finds, on the way from a folder down to a path in it, the first name that belongs to another user and lies in a
// folder that others than its owner may write, by itself or by one around it: anybody may have put it there. In a folder that
// only its owner writes, all is as the owner wants it.
func ForeignBelow(tree Tree, top, path string) (foreign string, ok bool) {
	f := tree.Flavor()
	rel, inside := f.Rel(top, path)
	if !inside || rel == "." {
		return "", false
	}
	holder, err := tree.Stat(top)
	shared := err == nil && holder.Shared
	at := top
	for name := range strings.SplitSeq(f.ToSlash(rel), "/") {
		at = f.Join(at, name)
		info, err := tree.Stat(at)
		if err != nil {
			return "", false // it cannot be read either
		}
		if shared && info.Foreign {
			return at, true
		}
		shared = shared || info.Shared
	}
	return "", false
}

// Within tells whether path, once links are followed, is root or lies below it. Both must exist.
func Within(tree Tree, root, path string) (bool, error) {
	realRoot, err := tree.RealPath(root)
	if err != nil {
		return false, err
	}
	resolved, err := tree.RealPath(path)
	if err != nil {
		return false, err
	}
	return tree.Flavor().Inside(realRoot, resolved), nil
}

package files

import "sync"

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

// Upward are a folder, absolute, and those above it, the nearest first, as far as they may hold one of the names.
func Upward(tree Tree, folder string, names ...string) []string {
	folders := tree.Flavor().Up(folder, "")
	if isDisk(tree) {
		return holding(folders, names)
	}
	return folders
}

// FindIn is [FindUp] in some of the folders at and above start alone, in their order.
func FindIn(tree Tree, start string, folders []string, name string) (folder string, ok bool) {
	for _, dir := range folders {
		if foreign, err := foreignName(tree, start, dir, name); err == nil && !foreign {
			return dir, true
		}
	}
	return "", false
}

// lookUp calls found for each of the names at start and above, until that returns false.
func lookUp(tree Tree, start string, names []string, found func(dir, name string, foreign bool) bool) {
	top, err := tree.Abs(start)
	if err != nil {
		return
	}
	for _, dir := range Upward(tree, PresentFolder(tree, top), names...) {
		for _, name := range names {
			foreign, err := foreignName(tree, top, dir, name)
			if err == nil && !found(dir, name, foreign) {
				return
			}
		}
	}
}

// foreignName tells whether another user made a name in a folder above start, or has that folder. The error says that there is no such name.
func foreignName(tree Tree, start, dir, name string) (bool, error) {
	info, err := tree.Stat(tree.Flavor().Join(dir, name))
	if err != nil || dir == start {
		return false, err
	}
	return info.Foreign || foreignFolder(tree, dir), nil
}

// foreignFolder tells whether a folder belongs to another user, or cannot be looked at.
func foreignFolder(tree Tree, dir string) bool {
	info, err := tree.Stat(dir)
	return err != nil || info.Foreign
}

// Openness tells of which folders somebody else may write it.
type Openness func(Info) bool

// IsShared is true for a folder that others than its owner may write, be it a group.
func IsShared(i Info) bool { return i.Shared }

// IsPublic is true for a folder that everyone may write.
func IsPublic(i Info) bool { return i.Public }

// RefuseForeign refuses what was opened by a path in a folder if it, or a folder on the way to it, belongs to another user and
// lies in a folder that others may write, by itself or by one around it: anybody may have put it there. In a folder that only
// its owner writes, all is as the owner wants it. Who was asked for the way may have changed it since: whose the file is, is
// known of what was opened.
func RefuseForeign(tree Tree, o Opened, top, path string, open Openness) error {
	refused := func(top, path string) error {
		at, ok := foreignBelow(tree, top, path, o.Info().Foreign, open)
		switch {
		case !ok:
			return nil
		case at == path:
			return &OutsideError{Path: path, Why: "it belongs to another user, in a folder that others may write"}
		}
		return &OutsideError{Path: path, Why: "a folder that it is in belongs to another user, and lies in one that others may write"}
	}
	if err := refused(top, path); err != nil {
		return err
	}
	real := Recall(tree, "real\x00"+top, func() string {
		real, _ := tree.RealPath(top)
		return real
	})
	switch {
	case real == "":
		return &OutsideError{Path: path, Why: "its workspace cannot be found"}
	case real == top && o.Real() == path:
		return nil
	}
	return refused(real, o.Real())
}

// foreignBelow finds, on the way from a folder down to a path in it, the first name that belongs to another user and lies in
// an open folder. foreign says that the last one does.
func foreignBelow(tree Tree, top, path string, foreign bool, open Openness) (at string, ok bool) {
	f := tree.Flavor()
	rel, inside := f.Rel(top, path)
	if !inside || rel == "." {
		return "", false
	}
	way := foreignWay(tree, top, f.Dir(path), open)
	if way.at != "" {
		return way.at, true
	}
	if !way.opened { // as nearly everywhere
		return "", false
	}
	info, err := tree.Stat(path)
	return path, err == nil && info.Foreign || foreign
}

// openWay is what is known of the way from a folder down to another: the first name that belongs to another user and lies in an open
// folder, if there is one, and whether one on the way is open.
type openWay struct {
	at     string
	opened bool
}

func foreignWay(tree Tree, top, folder string, open Openness) openWay {
	asked := "public"
	if open(Info{Shared: true}) {
		asked = "shared"
	}
	return Recall(tree, "foreign\x00"+asked+"\x00"+top+"\x00"+folder, func() openWay {
		f := tree.Flavor()
		info, err := tree.Stat(folder)
		if f.Key(folder) == f.Key(top) || len(folder) <= len(top) {
			return openWay{opened: err == nil && open(info)}
		}
		way := foreignWay(tree, top, f.Dir(folder), open)
		if way.at == "" && way.opened && err == nil && info.Foreign {
			way.at = folder
		}
		way.opened = way.opened || err == nil && open(info)
		return way
	})
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

// Recall is what find says, asked once for a key while one look lasts, where the tree remembers: of many files in one folder the
// same is asked about all folders above, whose names a repository can make long without cost.
func Recall[T any](tree Tree, key string, find func() T) T {
	memory, ok := tree.(interface{ Recalled() *Recalled })
	if !ok {
		return find()
	}
	m := memory.Recalled()
	if known, ok := m.get(key); ok {
		return known.(T)
	}
	out := find()
	m.put(key, out)
	return out
}

// Recalled is what was found out in one look. The zero value is empty.
type Recalled struct {
	mu    sync.RWMutex
	known map[string]any
	size  int
}

// maxRecalled is how much is remembered, in bytes.
const maxRecalled = 16 << 20

func (m *Recalled) get(key string) (any, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	known, ok := m.known[key]
	return known, ok
}

func (m *Recalled) put(key string, value any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || m.size > maxRecalled {
		m.known, m.size = map[string]any{}, 0
	}
	m.known[key] = value
	m.size += len(key) + 64
}

// looking is the real disk while one look lasts.
type looking struct {
	disk

	recalled *Recalled
}

// Looking is a tree with a memory, where it is the real disk; others are given as they are, with their own if they have one.
func Looking(tree Tree, memory *Recalled) Tree {
	if tree != OS() {
		return tree
	}
	return looking{disk{}, memory}
}

// Recalled is for [Recall].
func (l looking) Recalled() *Recalled { return l.recalled }

// isDisk tells whether a tree is the real disk and nothing else.
func isDisk(tree Tree) bool {
	_, ok := tree.(looking)
	return ok || tree == OS()
}

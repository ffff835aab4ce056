package files

import (
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Memory is a tree in memory, for tests. Folders above what is written are made as needed. It is safe for several
// goroutines.
type Memory struct {
	flavor Flavor
	cwd    string

	mu    sync.RWMutex
	roots map[string]*memoryNode // by volume key
	clock time.Time              // moves by a second with each change, so that times are the same in every run
	stats atomic.Int64           // calls of Stat
}

type memoryNode struct {
	name     string // as written first
	kind     Kind
	data     []byte
	target   string // of a link
	closed   bool   // reading is refused
	foreign  bool   // it belongs to another user
	shared   bool   // a folder that others may write
	public   bool   // one that everyone may write
	children map[string]*memoryNode
	modTime  time.Time
}

// MaxLinks is how many links one path may lead through, as on Linux.
const MaxLinks = 40

// NewMemory returns an empty tree. Its working directory is `/` or `C:\`.
func NewMemory(flavor Flavor) *Memory {
	m := &Memory{flavor: flavor, cwd: "/", roots: map[string]*memoryNode{}, clock: time.Unix(1_000_000_000, 0).UTC()}
	if flavor == Windows {
		m.cwd = `C:\`
	}
	m.root(m.cwd)
	return m
}

// Chdir sets the working directory, which need not exist.
func (m *Memory) Chdir(path string) { m.cwd = m.flavor.Abs(m.cwd, path) }

// WriteFile makes or replaces a file; it follows links as a program would.
func (m *Memory) WriteFile(path, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _, err := m.find(path); err == nil && n.kind == File {
		n.data, n.modTime = []byte(text), m.tick()
		return
	}
	m.put(path, &memoryNode{kind: File, data: []byte(text)})
}

// MakeFolder makes a folder and those above it.
func (m *Memory) MakeFolder(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _, err := m.find(path); err == nil && n.kind == Folder {
		return
	}
	m.put(path, &memoryNode{kind: Folder, children: map[string]*memoryNode{}})
}

// MakeLink makes a symbolic link at path. The target may be relative to the link's folder, and may be missing.
func (m *Memory) MakeLink(target, path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(path, &memoryNode{kind: Link, target: target})
}

// MakeSpecial makes something like a pipe.
func (m *Memory) MakeSpecial(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(path, &memoryNode{kind: Special})
}

// Close takes away the permission to read a file or to list a folder.
func (m *Memory) Close(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _, err := m.find(path); err == nil {
		n.closed = true
	}
}

// GiveAway makes another user the owner of a file or folder.
func (m *Memory) GiveAway(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _, err := m.find(path); err == nil {
		n.foreign = true
	}
}

// Share lets other users write a folder.
func (m *Memory) Share(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _, err := m.find(path); err == nil {
		n.shared = true
	}
}

// Publish lets everyone write a folder.
func (m *Memory) Publish(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _, err := m.find(path); err == nil {
		n.shared, n.public = true, true
	}
}

// Remove takes away a file, a link, or a folder with all that is in it.
func (m *Memory) Remove(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	path = m.flavor.Abs(m.cwd, path)
	if parent, _, err := m.find(m.flavor.Dir(path)); err == nil && parent.children != nil {
		delete(parent.children, m.key(m.flavor.Base(path)))
		parent.modTime = m.tick()
	}
}

func (m *Memory) tick() time.Time {
	m.clock = m.clock.Add(time.Second)
	return m.clock
}

func (m *Memory) key(name string) string {
	if m.flavor == Windows {
		return strings.ToLower(strings.ToUpper(name))
	}
	return name
}

func (m *Memory) root(abs string) *memoryNode {
	volume, _ := m.flavor.split(abs)
	n := m.roots[m.key(volume)]
	if n == nil {
		n = &memoryNode{name: volume, kind: Folder, children: map[string]*memoryNode{}, modTime: m.clock}
		m.roots[m.key(volume)] = n
	}
	return n
}

// put hangs a node into the tree. A file that stands where a folder is needed is replaced by one.
func (m *Memory) put(path string, n *memoryNode) {
	path = m.flavor.Abs(m.cwd, path)
	dir := m.flavor.Dir(path)
	if dir == path {
		return // a root is there already
	}
	parent, _, err := m.find(dir)
	if err != nil || parent.children == nil {
		parent = &memoryNode{kind: Folder, children: map[string]*memoryNode{}}
		if dir == m.flavor.Dir(dir) {
			parent = m.root(dir)
		} else {
			m.put(dir, parent)
		}
	}
	n.name = m.flavor.Base(path)
	n.modTime = m.tick()
	parent.modTime = n.modTime
	parent.children[m.key(n.name)] = n
}

// find follows a path, links included. It returns the node and its real path.
func (m *Memory) find(path string) (*memoryNode, string, error) {
	rest := m.flavor.Abs(m.cwd, path)
	for range MaxLinks {
		n, resolved, next, err := m.step(rest)
		if err != nil || next == "" {
			return n, resolved, err
		}
		rest = next
	}
	return nil, "", ErrTooManyLinks
}

// step goes along an absolute path up to its first link; next is then the path with that link replaced.
func (m *Memory) step(abs string) (n *memoryNode, resolved, next string, err error) {
	volume, rest := m.flavor.split(abs)
	n = m.roots[m.key(volume)]
	if n == nil {
		return nil, "", "", fs.ErrNotExist
	}
	resolved = m.flavor.Clean(n.name + "/")
	names := strings.FieldsFunc(rest, func(r rune) bool { return r == '/' })
	for i, name := range names {
		if n.children == nil {
			return nil, "", "", fs.ErrNotExist
		}
		child := n.children[m.key(name)]
		if child == nil {
			return nil, "", "", fs.ErrNotExist
		}
		if child.kind == Link {
			parts := append([]string{m.flavor.Abs(resolved, child.target)}, names[i+1:]...)
			return nil, "", m.flavor.Join(parts...), nil
		}
		n = child
		resolved = m.flavor.Join(resolved, child.name)
	}
	return n, resolved, "", nil
}

// Flavor tells how paths of this tree are written.
func (m *Memory) Flavor() Flavor { return m.flavor }

// Abs makes a path absolute and clean.
func (m *Memory) Abs(path string) (string, error) { return m.flavor.Abs(m.cwd, path), nil }

// ReadFile is [Tree.ReadFile].
func (m *Memory) ReadFile(path string, limit int64) ([]byte, error) {
	o, err := m.Open(path, Anywhere())
	if err != nil {
		return nil, err
	}
	return o.Read(limit)
}

// ReadDir is [Tree.ReadDir].
func (m *Memory) ReadDir(path string) ([]Entry, error) {
	o, err := m.Open(path, Anywhere())
	if err != nil {
		return nil, err
	}
	return o.List()
}

// Stats is how often [Memory.Stat] was called.
func (m *Memory) Stats() int { return int(m.stats.Load()) }

// Stat is [Tree.Stat].
func (m *Memory) Stat(path string) (Info, error) {
	m.stats.Add(1)
	o, err := m.Open(path, Anywhere())
	if err != nil {
		return Info{}, err
	}
	return o.Info(), nil
}

// RealPath is [Tree.RealPath].
func (m *Memory) RealPath(path string) (string, error) {
	o, err := m.Open(path, Anywhere())
	if err != nil {
		return "", err
	}
	return o.Real(), nil
}

// Open is [Tree.Open].
func (m *Memory) Open(path string, bounds Bounds) (Opened, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, resolved, err := m.find(path)
	if err != nil {
		return nil, pathError("open", path, err)
	}
	if !bounds.Hold(m.flavor, resolved) {
		return nil, &OutsideError{Path: path}
	}
	return &heldNode{memory: m, node: n, path: path, real: resolved}, nil
}

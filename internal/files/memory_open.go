package files

import (
	"cmp"
	"io/fs"
	"slices"
)

// heldNode is a node of a tree in memory.
type heldNode struct {
	memory *Memory
	node   *memoryNode
	path   string // as it was given
	real   string
}

func (h *heldNode) Real() string { return h.real }
func (h *heldNode) Close()       {}

func (h *heldNode) Info() Info {
	h.memory.mu.RLock()
	defer h.memory.mu.RUnlock()
	n := h.node
	return Info{Kind: n.kind, Size: int64(len(n.data)), ModTime: n.modTime, Foreign: n.foreign, Shared: n.shared, Public: n.public}
}

func (h *heldNode) Read(limit int64) ([]byte, error) {
	h.memory.mu.RLock()
	defer h.memory.mu.RUnlock()
	n := h.node
	switch {
	case n.kind != File:
		return nil, &NotRegularError{Path: h.path, Kind: n.kind}
	case n.closed:
		return nil, pathError("open", h.path, fs.ErrPermission)
	case limit > 0 && int64(len(n.data)) > limit:
		return nil, &TooLargeError{Path: h.path, Size: int64(len(n.data)), Limit: limit}
	}
	return slices.Clone(n.data), nil
}

func (h *heldNode) Append(buffer []byte, most int64) ([]byte, error) {
	data, err := h.Read(0)
	if err != nil {
		return nil, err
	}
	return append(buffer, data[:min(int64(len(data)), most)]...), nil
}

// Link is [Opened.Link].
func (h *heldNode) Link(name string, bounds Bounds) (Opened, error) {
	entries, err := h.List()
	if err != nil {
		return nil, err
	}
	flavor := h.memory.Flavor()
	path := flavor.Join(h.real, name)
	at := slices.IndexFunc(entries, func(e Entry) bool { return flavor.Key(e.Name) == flavor.Key(name) })
	switch {
	case at < 0:
		return nil, pathError("open", path, fs.ErrNotExist)
	case entries[at].Kind != Link:
		return nil, &OutsideError{Path: path}
	}
	return h.memory.Open(path, bounds)
}

func (h *heldNode) List() ([]Entry, error) {
	h.memory.mu.RLock()
	defer h.memory.mu.RUnlock()
	n := h.node
	switch {
	case n.kind != Folder:
		return nil, pathError("readdir", h.path, errNotFolder)
	case n.closed:
		return nil, pathError("open", h.path, fs.ErrPermission)
	}
	out := make([]Entry, 0, len(n.children))
	for _, c := range n.children {
		out = append(out, Entry{Name: c.name, Kind: c.kind})
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

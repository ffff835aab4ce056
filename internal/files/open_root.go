package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// heldRoot is a name in a folder that is held open, and what was found there.
type heldRoot struct {
	folder *os.Root
	name   string
	path   string // as it was given
	real   string
	found  fs.FileInfo
}

// openByRoot is for systems that do not tell where a descriptor led. The path without links is looked up first and must lie
// within bounds; then it is gone along name by name from the folder that holds it, and no name may be a link any more. What is
// read in the end is compared with what was found, so that a link that is put there in between leads nowhere.
func openByRoot(path string, bounds Bounds) (Opened, error) {
	if err := checkLink(path); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	top, ok := bounds.Folder(Native(), real)
	if !ok {
		return nil, &OutsideError{Path: path}
	}
	if top == "" {
		top = filepath.Dir(real)
	}
	rel, err := filepath.Rel(top, real)
	if err != nil {
		return nil, pathError("open", path, err)
	}
	folder, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	h := &heldRoot{folder: folder, path: path, real: real}
	if err := h.descend(strings.Split(filepath.ToSlash(rel), "/")); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// descend goes along names, of which none may be a link.
func (h *heldRoot) descend(names []string) error {
	for i, name := range names {
		found, err := h.folder.Lstat(name)
		if err != nil {
			return err
		}
		if found.Mode()&fs.ModeSymlink != 0 {
			return &OutsideError{Path: h.path} // it was none a moment ago
		}
		if i == len(names)-1 {
			h.name, h.found = name, found
			return nil
		}
		next, err := h.folder.OpenRoot(name)
		if err != nil {
			return err
		}
		_ = h.folder.Close()
		h.folder = next
		if opened, err := next.Stat("."); err != nil || !os.SameFile(found, opened) {
			return &OutsideError{Path: h.path}
		}
	}
	return pathError("open", h.path, fs.ErrNotExist)
}

func (h *heldRoot) Real() string { return h.real }
func (h *heldRoot) Info() Info   { return describe(h.found) }
func (h *heldRoot) Close()       { _ = h.folder.Close() }

// open opens what was found, and nothing that is there instead.
func (h *heldRoot) open() (*os.File, error) {
	f, err := h.folder.OpenFile(h.name, os.O_RDONLY|Nonblocking, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(h.found, opened) {
		_ = f.Close()
		return nil, &OutsideError{Path: h.path}
	}
	return f, nil
}

func (h *heldRoot) Read(limit int64) ([]byte, error) {
	info := h.Info()
	if err := checkRegular(h.path, info.Kind, info.Size, limit); err != nil {
		return nil, err
	}
	f, err := h.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(h.path, info.Size, limit, untilEnd(f))
}

func (h *heldRoot) Append(buffer []byte, most int64) ([]byte, error) {
	info := h.Info()
	if err := checkRegular(h.path, info.Kind, 0, 0); err != nil {
		return nil, err
	}
	f, err := h.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return appendUpTo(h.path, buffer, info.Size, most, untilEnd(f))
}

func (h *heldRoot) List() ([]Entry, error) {
	if h.Info().Kind != Folder {
		return nil, pathError("readdir", h.path, errNotFolder)
	}
	f, err := h.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries(list), nil
}

// Link reads what the link says in the folder that is held; the way from there is looked up by its names.
func (h *heldRoot) Link(name string, bounds Bounds) (Opened, error) {
	path := filepath.Join(h.path, name)
	folder, err := h.folder.OpenRoot(h.name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	if opened, err := folder.Stat("."); err != nil || !os.SameFile(h.found, opened) {
		return nil, &OutsideError{Path: path}
	}
	found, err := folder.Lstat(name)
	if err != nil {
		return nil, err
	}
	if found.Mode()&fs.ModeSymlink == 0 {
		return nil, &OutsideError{Path: path}
	}
	target, err := folder.Readlink(name)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(h.real, target)
	}
	return openByRoot(target, bounds)
}

package files

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
)

// overlay is a tree with some files' texts in place of what the disk holds, such as the buffers of an editor. Everything else,
// and where links lead, is the tree's below.
type overlay struct {
	tree  Tree
	texts map[string]string   // by key of the path, as it was given and without links
	names map[string][]string // of its files, by key of the folder
	bases map[string]bool     // keys of all names
	ways  map[string]bool     // keys of the files and of all folders above them
}

// NewOverlay lays texts by absolute paths over a tree. A file need not be there; then it is where its folder is.
func NewOverlay(tree Tree, texts map[string]string) Tree {
	o := &overlay{tree: tree, texts: map[string]string{}, names: map[string][]string{}, bases: map[string]bool{}, ways: map[string]bool{}}
	flavor := tree.Flavor()
	for path, text := range texts {
		path = flavor.Clean(path)
		o.put(path, text)
		if real := o.realPath(path); real != path {
			o.put(real, text)
		}
	}
	return o
}

func (o *overlay) put(path, text string) {
	flavor := o.tree.Flavor()
	if _, again := o.texts[flavor.Key(path)]; again {
		return
	}
	o.texts[flavor.Key(path)], o.bases[flavor.Key(flavor.Base(path))] = text, true
	folder := flavor.Key(flavor.Dir(path))
	o.names[folder] = append(o.names[folder], flavor.Base(path))
	for _, part := range flavor.Up(path, "") {
		o.ways[flavor.Key(part)] = true
	}
}

// HoldsText tells whether a tree is an overlay with a text at a name in a folder, or below it, which may be in no listing: a new file of an editor
// can be in a folder that is not there.
func HoldsText(tree Tree, folder, name string) bool {
	o, ok := tree.(*overlay)
	return ok && o.ways[tree.Flavor().Key(tree.Flavor().Join(folder, name))]
}

// realPath is the path without links, also of a file that is not there.
func (o *overlay) realPath(path string) string {
	flavor := o.tree.Flavor()
	if real, err := o.tree.RealPath(path); err == nil {
		return real
	}
	if folder, err := o.tree.RealPath(flavor.Dir(path)); err == nil {
		return flavor.Join(folder, flavor.Base(path))
	}
	return path
}

func (o *overlay) Flavor() Flavor                  { return o.tree.Flavor() }
func (o *overlay) Abs(path string) (string, error) { return o.tree.Abs(path) }

func (o *overlay) text(path string) (string, bool) {
	flavor := o.tree.Flavor()
	path = flavor.Clean(path)
	text, ok := o.texts[flavor.Key(path)]
	if !ok && o.bases[flavor.Key(flavor.Base(path))] { // by a link, perhaps
		text, ok = o.texts[flavor.Key(o.realPath(path))]
	}
	return text, ok
}

func (o *overlay) ReadFile(path string, limit int64) ([]byte, error) {
	text, ok := o.text(path)
	if !ok {
		return o.tree.ReadFile(path, limit)
	}
	return limited(path, text, limit)
}

func limited(path, text string, limit int64) ([]byte, error) {
	if size := int64(len(text)); limit > 0 && size > limit {
		return nil, &TooLargeError{Path: path, Size: size, Limit: limit}
	}
	return []byte(text), nil
}

func (o *overlay) ReadDir(path string) ([]Entry, error) {
	entries, err := o.tree.ReadDir(path)
	if err != nil {
		return entries, err
	}
	return o.with(path, entries), nil
}

// with adds the files of a folder that are not on the disk.
func (o *overlay) with(path string, entries []Entry) []Entry {
	flavor := o.tree.Flavor()
	names := o.names[flavor.Key(flavor.Clean(path))]
	if len(names) == 0 {
		return entries
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[flavor.Key(e.Name)] = true
	}
	for _, name := range names {
		if key := flavor.Key(name); !there[key] {
			there[key] = true
			entries = append(entries, Entry{Name: name, Kind: File})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries
}

func (o *overlay) Stat(path string) (Info, error) {
	info, err := o.tree.Stat(path)
	return o.described(path, info, err)
}

// described is what there is to say about a path: what the disk says but for the size, where it is a file.
func (o *overlay) described(path string, info Info, err error) (Info, error) {
	text, ok := o.text(path)
	switch {
	case !ok, err != nil && !errors.Is(err, fs.ErrNotExist), err == nil && info.Kind != File:
		return info, err
	}
	info.Kind, info.Size = File, int64(len(text))
	return info, nil
}

func (o *overlay) RealPath(path string) (string, error) {
	real, err := o.tree.RealPath(path)
	if _, ok := o.text(path); ok && errors.Is(err, fs.ErrNotExist) {
		return o.realPath(o.tree.Flavor().Clean(path)), nil
	}
	return real, err
}

// Open opens what is on the disk, which decides where a path leads, and has the text read instead of it.
func (o *overlay) Open(path string, bounds Bounds) (Opened, error) {
	opened, err := o.tree.Open(path, bounds)
	if err == nil {
		return &openedOverlay{Opened: opened, overlay: o}, nil
	}
	if _, ok := o.text(path); !ok || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	real := o.realPath(o.tree.Flavor().Clean(path))
	if !bounds.Hold(o.tree.Flavor(), real) {
		return nil, &OutsideError{Path: path}
	}
	return &openedOverlay{Opened: unsaved{real}, overlay: o}, nil
}

// openedOverlay is something on the disk, whose text may be another.
type openedOverlay struct {
	Opened
	overlay *overlay
}

func (o *openedOverlay) Info() Info {
	info, _ := o.overlay.described(o.Real(), o.Opened.Info(), nil)
	return info
}

func (o *openedOverlay) Read(limit int64) ([]byte, error) {
	if text, ok := o.overlay.text(o.Real()); ok && o.Opened.Info().Kind == File {
		return limited(o.Real(), text, limit)
	}
	return o.Opened.Read(limit)
}

func (o *openedOverlay) Append(buffer []byte, most int64) ([]byte, error) {
	if text, ok := o.overlay.text(o.Real()); ok && o.Opened.Info().Kind == File {
		return append(buffer, text[:min(int64(len(text)), most)]...), nil
	}
	return o.Opened.Append(buffer, most)
}

func (o *openedOverlay) List() ([]Entry, error) {
	entries, err := o.Opened.List()
	if err != nil {
		return entries, err
	}
	return o.overlay.with(o.Real(), entries), nil
}

// Link is [Opened.Link].
func (o *openedOverlay) Link(name string, bounds Bounds) (Opened, error) {
	opened, err := o.Opened.Link(name, bounds)
	if err != nil {
		return nil, err
	}
	return &openedOverlay{Opened: opened, overlay: o.overlay}, nil
}

// unsaved is a file that is not on the disk.
type unsaved struct{ real string }

func (u unsaved) Real() string               { return u.real }
func (u unsaved) Info() Info                 { return Info{Kind: File} }
func (u unsaved) Read(int64) ([]byte, error) { return nil, pathError("open", u.real, fs.ErrNotExist) }

func (u unsaved) Append([]byte, int64) ([]byte, error) {
	return nil, pathError("open", u.real, fs.ErrNotExist)
}
func (u unsaved) List() ([]Entry, error) { return nil, pathError("readdir", u.real, errNotFolder) }

func (u unsaved) Link(string, Bounds) (Opened, error) {
	return nil, pathError("open", u.real, errNotFolder)
}
func (u unsaved) Close() {}

package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// linkTree makes a tree of what bytes say: below `in` folders, files and links to anywhere, as a stranger may write them.
type linkTree struct {
	text  []byte
	paths []string
}

var linkNames = []string{"a", "b", "c", "d.md"}

func (l *linkTree) next() int {
	if len(l.text) == 0 {
		return 0
	}
	b := l.text[0]
	l.text = l.text[1:]
	return int(b)
}

// path is one to three names below `in`.
func (l *linkTree) path() string {
	parts := []string{"in"}
	for range l.next()%3 + 1 {
		parts = append(parts, linkNames[l.next()%len(linkNames)])
	}
	return strings.Join(parts, "/")
}

// target is what a link says: names, dots, and absolute paths.
func (l *linkTree) target(top string) string {
	var parts []string
	if l.next()%4 == 0 {
		parts = append(parts, top)
	}
	for range l.next()%5 + 1 {
		parts = append(parts, append([]string{"..", "..", "out", "in", "s.md", "."}, linkNames...)[l.next()%(6+len(linkNames))])
	}
	return strings.Join(parts, "/")
}

// build calls the functions for up to 24 things.
func (l *linkTree) build(top string, folder func(path string), file func(path string), link func(target, path string)) {
	for i := 0; i < 24 && len(l.text) > 0; i++ {
		kind, path := l.next()%4, l.path()
		l.paths = append(l.paths, path)
		switch kind {
		case 0:
			folder(path)
		case 1:
			file(path)
		default:
			link(l.target(top), path)
		}
	}
}

// FuzzLinks: whatever links there are, nothing outside of a folder is opened, listed or visited, on the disk in both ways and in
// memory.
func FuzzLinks(f *testing.F) {
	f.Add([]byte{2, 0, 0, 1, 3, 0, 0, 2, 4})
	f.Add([]byte("folder links to folders above, and back"))
	f.Add([]byte{0, 0, 1, 3, 1, 1, 2, 0, 4, 1, 0, 2, 2, 2, 1, 1, 3, 3, 3, 0, 1, 3, 0, 0, 2, 2, 4, 9, 9, 9, 9, 1, 2, 3})
	f.Fuzz(func(t *testing.T, text []byte) {
		memory := files.NewMemory(files.Unix)
		memory.WriteFile("/top/out/s.md", "OUTSIDE")
		memory.WriteFile("/top/out/d.md", "OUTSIDE")
		memory.MakeFolder("/top/in")
		inMemory := &linkTree{text: text}
		inMemory.build("/top", func(p string) {
			if _, real, err := files.StatWithin(memory, "/top/"+p, files.Anywhere()); err != nil && real == "" {
				safely(memory, p, func(path string) { memory.MakeFolder(path) })
			}
		}, func(p string) {
			safely(memory, p, func(path string) { memory.WriteFile(path, "inside") })
		}, func(target, p string) {
			safely(memory, p, func(path string) { memory.MakeLink(target, path) })
		})
		checkLinks(t, memory, "/top", inMemory.paths)

		top := insideAndOutside(t)
		onDisk := &linkTree{text: text}
		root, err := os.OpenRoot(top)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		onDisk.build(top, func(p string) { _ = root.MkdirAll(p, 0o755) }, func(p string) {
			if real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.Dir(p))); err == nil && strings.HasPrefix(real, filepath.Join(top, "in")) {
				if _, err := os.Lstat(filepath.Join(top, p)); err != nil {
					_ = os.WriteFile(filepath.Join(top, p), []byte("inside"), 0o600)
				}
			}
		}, func(target, p string) { _ = root.Symlink(target, p) })
		for _, tree := range realTrees() {
			checkLinks(t, tree, top, onDisk.paths)
		}
	})
}

// safely makes something in the tree in memory, if its folder is inside and the name is free.
func safely(memory *files.Memory, p string, make func(path string)) {
	path := "/top/" + p
	dir := memory.Flavor().Dir(path)
	_, real, err := files.StatWithin(memory, dir, files.Anywhere())
	if err != nil || !memory.Flavor().Inside("/top/in", real) {
		return
	}
	entries, _ := memory.ReadDir(dir)
	for _, e := range entries {
		if e.Name == memory.Flavor().Base(path) {
			return
		}
	}
	make(path)
}

func checkLinks(t *testing.T, tree files.Tree, top string, paths []string) {
	t.Helper()
	in := top + "/in"
	within := files.Below(tree, in)
	look := func(path string) {
		data, real, err := files.ReadWithin(tree, path, within, 100)
		if err == nil && (strings.Contains(string(data), "OUTSIDE") || !strings.HasPrefix(real, in+"/")) {
			t.Errorf("%s gives %q of %s", path, data, real)
		}
		list, _ := files.ListWithin(tree, path, within)
		for _, e := range list {
			if e.Name == "s.md" && e.Kind == files.File {
				t.Errorf("%s lists what is outside", path)
			}
		}
	}
	for _, path := range paths {
		look(top + "/" + path)
		look(top + "/" + path + "/d.md")
		look(top + "/" + path + "/s.md")
	}
	err := files.Walk(t.Context(), tree, in, files.WalkOptions{Follow: true, MaxDepth: 6, MaxEntries: 500, Within: &within}, func(step files.Step) error {
		if step.Err == nil {
			look(step.Path)
			if _, real, err := files.StatWithin(tree, step.Path, files.Anywhere()); err == nil && !tree.Flavor().Inside(in, real) {
				t.Errorf("the walk comes to %s by %s", real, step.Rel)
			}
		}
		return nil
	})
	var out *files.OutsideError
	if err != nil && !errors.As(err, &out) {
		t.Error(err)
	}
}

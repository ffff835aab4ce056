package gitignore_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/treetest"
	"github.com/pertain-dev/pertain/internal/files"
)

// world is a tree in memory with a project at /w, or the same on drive C:.
type world struct {
	tree   *files.Memory
	flavor files.Flavor
}

func newWorld(flavor files.Flavor, texts map[string]string) *world {
	w := &world{files.NewMemory(flavor), flavor}
	w.tree.MakeFolder(w.path("/w"))
	for path, text := range texts {
		w.tree.WriteFile(w.path(path), text)
	}
	return w
}

func (w *world) path(p string) string { return treetest.Path(w.flavor, p) }

// bothFlavors runs a test on a Unix and on a Windows tree.
func bothFlavors(t *testing.T, test func(t *testing.T, flavor files.Flavor)) {
	t.Run("unix", func(t *testing.T) { test(t, files.Unix) })
	t.Run("windows", func(t *testing.T) { test(t, files.Windows) })
}

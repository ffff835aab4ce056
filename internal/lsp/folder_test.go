package lsp

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFolderThatIsNotThere: a file in folders that are not there yet belongs to the nearest one that is; who would look around in each
// of them goes through all that its address names.
func TestFolderThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	var opened []string
	s := &server{folders: map[string]*folder{}, options: Options{Open: func(dir string) (Folder, error) {
		opened = append(opened, dir)
		return Folder{}, nil
	}}}
	for _, way := range []string{"x.md", "a/b/x.md", strings.Repeat("a/", 5000) + "x.md"} {
		if f := s.folderOf(filepath.Join(dir, filepath.FromSlash(way))); f.dir != dir || f.opened {
			t.Errorf("%.40s is in %.200s", way, f.dir)
		}
	}
	if len(opened) != 1 {
		t.Errorf("%d folders were opened", len(opened))
	}
}

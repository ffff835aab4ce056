package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// deep is a way through many folders, none of which is there.
var deep = strings.Repeat("a/", 1500) + "x"

// TestFoldersToOfMissingFolders: what a path costs does not grow with the folders that it names and that are not there.
func TestFoldersToOfMissingFolders(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/b/x.go", "")
	allocations := testing.AllocsPerRun(1, func() {
		if got, _ := discover.FoldersTo(tree, "/w", []string{"/w/b/" + deep}); len(got) != 1 || got[0] != "/w/b" {
			t.Errorf("%q", got)
		}
	})
	if allocations > 1000 {
		t.Errorf("%.0f allocations", allocations)
	}
}

// TestLinksToMissingFolders: where folders will be that are not there yet is found by a few looks at each path.
func TestLinksToMissingFolders(t *testing.T) {
	memory := files.NewMemory(files.Unix)
	memory.WriteFile("/real/x.go", "")
	memory.MakeLink("/real", "/w/link")
	memory.MakeLink("/nowhere", "/w/broken")
	tree := &countingTree{Tree: memory}
	links := discover.NewLinkResolver(tree)
	for i := range 20 {
		for path, want := range map[string]string{
			"/w/link/%d/" + deep:   "/real/%d/" + deep,
			"/w/link/%d/y":         "/real/%d/y",
			"/w/%d/" + deep:        "",
			"/w/broken/%d/" + deep: "",
		} {
			path = fmt.Sprintf(path, i)
			if want != "" {
				want = fmt.Sprintf(want, i)
			}
			if got := links.Real(path); got != want {
				t.Fatalf("%.40s leads to %.40s", path, got)
			}
		}
	}
	if tree.looks > 20*4*20 {
		t.Errorf("%d paths were looked up", tree.looks)
	}
}

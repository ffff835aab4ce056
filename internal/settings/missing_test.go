package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// statsTree counts how often something is looked at.
type statsTree struct {
	files.Tree
	stats int
}

func (s *statsTree) Stat(path string) (files.Info, error) {
	s.stats++
	return s.Tree.Stat(path)
}

// TestStrangersAroundMissingFolders: a working directory that is not there is in the workspaces of what is there of it, which
// a few looks tell.
func TestStrangersAroundMissingFolders(t *testing.T) {
	memory := files.NewMemory(files.Unix)
	memory.WriteFile("/w/.git/HEAD", "")
	tree := &statsTree{Tree: memory}
	dir := "/w/" + strings.Repeat("a/", 1500) + "x"
	if got := settings.Strangers(tree, "", dir); !slices.Equal(got, []string{dir, "/w"}) {
		t.Errorf("%.100q", got)
	}
	if tree.stats > 30 {
		t.Errorf("%d paths were looked at", tree.stats)
	}
}

package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestStrangersAroundMissingFolders: a working directory that is not there is in the workspaces of what is there of it, which
// a few looks tell.
func TestStrangersAroundMissingFolders(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/.git/HEAD", "")
	dir := "/w/" + strings.Repeat("a/", 1500) + "x"
	if got := settings.Strangers(tree, "", dir, ""); !slices.Equal(got, []string{dir, "/w"}) {
		t.Errorf("%.100q", got)
	}
	if n := tree.Stats(); n == 0 || n > 30 {
		t.Errorf("%d paths were looked at", n)
	}
}

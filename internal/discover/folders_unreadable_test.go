package discover_test

import (
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestClosedFolder: a folder that may be entered but not listed is looked into by the names of files.
func TestClosedFolder(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/sub/AGENTS.md": "x", "/w/sub/.cursor/rules/a.mdc": "y"})
	w.tree.Close("/w/sub")
	at := w.roots("/w")
	at.Folders = []string{"/w/sub"}
	set := w.load(t, at)
	if got := names(set.All()); !slices.Equal(got, []string{"cursor:sub/a", "agents-md:sub/AGENTS"}) || len(set.Warnings()) > 0 {
		t.Errorf("%v %v", got, set.Warnings())
	}
}

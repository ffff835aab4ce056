//go:build unix

package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/program"
)

// TestFindOwn: where others can put programs, or change them, none is found, wherever that is; what a group may write is its
// administrator's choice.
func TestFindOwn(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mode := func(path string, mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	good := folderWith(t, at("good"))
	group := folderWith(t, at("group"))
	mode(group, 0o775)
	public := folderWith(t, at("public"))
	mode(public, 0o777)
	sticky := folderWith(t, at("sticky"))
	mode(sticky, 0o777|os.ModeSticky)
	below := folderWith(t, at("open", "bin"))
	mode(at("open"), 0o777)
	kept := folderWith(t, at("kept", "bin"))
	mode(at("kept"), 0o777|os.ModeSticky)
	changed := folderWith(t, at("changed"))
	mode(filepath.Join(changed, "tool"), 0o777)
	linked := at("linked")
	if err := os.Mkdir(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(public, "tool"), filepath.Join(linked, "tool")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir   string
		found bool
	}{{good, true}, {group, true}, {kept, true}, {public, false}, {sticky, false}, {below, false}, {changed, false}, {linked, false}} {
		search := program.Search{Path: c.dir}
		if _, err := search.Find("tool"); (err == nil) != c.found {
			t.Errorf("%s: %v", c.dir, err)
		}
		if listed := strings.Contains(search.Folders(), c.dir); listed != c.found && c.dir != changed && c.dir != linked {
			t.Errorf("%s: passed on %v", c.dir, listed)
		}
	}
	if os.Geteuid() != 0 {
		return
	}
	foreign := folderWith(t, at("foreign"))
	if err := os.Chown(foreign, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if _, err := (program.Search{Path: foreign}).Find("tool"); err == nil {
		t.Error("what another user put there is found")
	}
	t.Setenv("SUDO_UID", "12345")
	if _, err := (program.Search{Path: foreign}).Find("tool"); err != nil {
		t.Error("the user's own is not found after sudo")
	}
}

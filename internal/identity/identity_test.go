package identity_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/identity"
)

// TestIdentity: a folder is the same one under another name, and one that takes its name is another.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	named, moved := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	of := func(path string) identity.Identity {
		t.Helper()
		id, err := identity.Of(path)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if err := os.Mkdir(named, 0o700); err != nil {
		t.Fatal(err)
	}
	before := of(named)
	if !before.Known() {
		t.Skip("this system has none")
	}
	if !before.Own() {
		t.Errorf("%+v is not this user's", before)
	}
	if err := os.Rename(named, moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(named, 0o700); err != nil {
		t.Fatal(err)
	}
	if !of(moved).Same(before) || of(named).Same(before) {
		t.Errorf("%+v: is %+v now, and %+v has its name", before, of(moved), of(named))
	}
	if _, err := identity.Of(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestSame: what one of them does not tell of its birth decides nothing.
func TestSame(t *testing.T) {
	noted := identity.Identity{Device: "d", Inode: "1", Owner: "o", Birth: "5.0"}
	for _, c := range []struct {
		now  identity.Identity
		same bool
	}{
		{noted, true},
		{identity.Identity{Device: "d", Inode: "1", Owner: "o"}, true},
		{identity.Identity{Device: "d", Inode: "1", Owner: "o", Birth: "6.0"}, false},
		{identity.Identity{Device: "d", Inode: "2", Owner: "o"}, false},
		{identity.Identity{Device: "d", Inode: "1", Owner: "p"}, false},
		{identity.Identity{}, false},
	} {
		if noted.Same(c.now) != c.same || c.now.Same(noted) != c.same {
			t.Errorf("%+v: want %v", c.now, c.same)
		}
	}
}

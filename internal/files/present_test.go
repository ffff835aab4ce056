package files_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// deep is a path of many folders, none of which is there.
var deep = strings.Repeat("a/", 1500) + "x"

func TestPresent(t *testing.T) {
	cases := []struct {
		flavor           files.Flavor
		there            string // it and all above it
		path, part, rest string
	}{
		{files.Unix, "/w/b", "/w/b", "/w/b", ""},
		{files.Unix, "/w/b", "/w/b/c/d", "/w/b", "c/d"},
		{files.Unix, "/w/b", "/w/bc/d", "/w", "bc/d"},
		{files.Unix, "/w/b", "/x", "/", "x"},
		{files.Unix, "/w/b", "/", "/", ""},
		{files.Unix, "/w/b", "/w/b/c/../../e/f/", "/w", "e/f"},
		{files.Unix, "", "/w/b", "", "/w/b"},
		{files.Unix, "/w/b", "w/b", "", "w/b"},
		{files.Windows, `C:\w`, `C:\w\b\c`, `C:\w`, `b\c`},
		{files.Windows, `C:\w`, `C:/x/y`, `C:\`, `x\y`},
		{files.Windows, `C:\w`, `D:\x`, "", `D:\x`},
		{files.Windows, `\\host\share\w`, `\\host\share\w\b\c`, `\\host\share\w`, `b\c`},
		{files.Windows, `\\host\share\w`, `\\host\share\x`, `\\host\share\`, `x`},
	}
	for _, test := range cases {
		part, rest := files.Present(test.flavor, test.path, func(part string) bool { return test.there != "" && test.flavor.Inside(part, test.there) })
		if part != test.part || rest != test.rest {
			t.Errorf("%s, where %s is there: %q and %q", test.path, test.there, part, rest)
		}
	}
}

// TestFindUpFromMissingFolders: folders that are not there are not searched one by one.
func TestFindUpFromMissingFolders(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/.git/HEAD", "")
	if folder, _, ok := files.FindUp(tree, "/w/"+deep, ".git"); !ok || folder != "/w" {
		t.Errorf("%q", folder)
	}
	if n := tree.Stats(); n == 0 || n > 30 {
		t.Errorf("%d paths were looked at", n)
	}
}

// TestInsideOfMissingFolders: what is asked of the system, and what is made of a path, does not grow with the folders that are not there.
func TestInsideOfMissingFolders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(deep))
	if len(path) > 4000 {
		t.Skip("the folder for tests is too deep")
	}
	allocations := testing.AllocsPerRun(1, func() {
		if !files.Inside(dir, path) && files.Native() == files.Unix {
			t.Error("it is outside")
		}
	})
	if allocations > 1000 {
		t.Errorf("%.0f allocations", allocations)
	}
}

package files_test

import (
	"path"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

func TestWindowsPaths(t *testing.T) {
	const w = files.Windows
	for _, c := range []struct{ got, want string }{
		{w.Clean(`C:\a\..\b`), `C:\b`},
		{w.Clean(`c:/a/./b/`), `c:\a\b`},
		{w.Clean(`C:\..\..`), `C:\`},
		{w.Clean(`C:`), `C:.`},
		{w.Clean(``), `.`},
		{w.Clean(`a/b\..\c`), `a\c`},
		{w.Clean(`\\host\share`), `\\host\share\`},
		{w.Clean(`\\host\share\..\x`), `\\host\share\x`},
		{w.Join(`C:\a`, `b`, ``, `..\c`), `C:\a\c`},
		{w.Join(`C:`, `a`), `C:a`},
		{w.Join(`C:\`, `a`), `C:\a`},
		{w.Join(), ``},
		{w.Dir(`C:\a\b`), `C:\a`},
		{w.Dir(`C:\a`), `C:\`},
		{w.Dir(`C:\`), `C:\`},
		{w.Dir(`\\host\share\a`), `\\host\share\`},
		{w.Dir(`\\host\share\`), `\\host\share\`},
		{w.Base(`C:\a\b.md`), `b.md`},
		{w.Base(`C:\`), `\`},
		{w.Abs(`C:\w`, `x\y`), `C:\w\x\y`},
		{w.Abs(`C:\w`, `\x`), `C:\x`},
		{w.Abs(`C:\w`, `D:\x`), `D:\x`},
		{w.Abs(`C:\w`, `D:x`), `D:\x`},
		{w.Abs(`C:\w`, `c:x`), `C:\w\x`},
		{w.Key(`C:\Ä\B`), `c:\ä\b`},
		{w.ToSlash(`a\b`), `a/b`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	for p, want := range map[string]bool{`C:\a`: true, `C:/a`: true, `C:a`: false, `\a`: false, `a`: false, `\\h\s\a`: true, `\\h\s`: true, `/a`: false} {
		if w.IsAbs(p) != want {
			t.Errorf("IsAbs(%s) is %v", p, !want)
		}
	}
}

func TestUnixPathsAreThoseOfTheStandardLibrary(t *testing.T) {
	const u = files.Unix
	for _, p := range []string{"", "/", "a", "/a/../b", "a//b/", `a\b`, "../x", "C:/x"} {
		if u.Clean(p) != path.Clean(p) || u.Dir(p) != path.Dir(path.Clean(p)) || u.Base(p) != path.Base(p) || u.IsAbs(p) != path.IsAbs(p) ||
			u.Join("/r", p, "x") != path.Join("/r", p, "x") || u.ToSlash(p) != p {
			t.Errorf("%q is treated differently", p)
		}
	}
}

func TestRel(t *testing.T) {
	for _, c := range []struct {
		flavor     files.Flavor
		root, path string
		want       string // empty: outside
	}{
		{files.Unix, "/a", "/a", "."},
		{files.Unix, "/a", "/a/b/c", "b/c"},
		{files.Unix, "/a", "/ab", ""},
		{files.Unix, "/a", "/A/b", ""},
		{files.Unix, "/a/b", "/a", ""},
		{files.Unix, "/", "/a", "a"},
		{files.Unix, "/", "/", "."},
		{files.Unix, "/a", "/a/../b", ""},
		{files.Windows, `C:\a`, `c:\A\b`, "b"},
		{files.Windows, `C:\a`, `D:\a\b`, ""},
		{files.Windows, `C:\`, `C:\x\y`, "x/y"},
		{files.Windows, `\\h\s`, `\\H\S\x`, "x"},
	} {
		got, ok := c.flavor.Rel(c.root, c.path)
		if got != c.want || ok != (c.want != "") || c.flavor.Inside(c.root, c.path) != ok {
			t.Errorf("Rel(%s, %s) = %q, %v", c.root, c.path, got, ok)
		}
	}
}

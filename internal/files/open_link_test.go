package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestOpenedLink: from an open folder a link in it is followed, within bounds, whatever stands in the folder's place by then; what is no link is not.
func TestOpenedLink(t *testing.T) {
	trees := realTrees()
	memory := files.NewMemory(files.Unix)
	for path, text := range map[string]string{"/t/in/a.md": "inside", "/t/in/sub/b.md": "inside", "/t/out/s.md": "OUTSIDE", "/t/out/b.md": "OUTSIDE"} {
		memory.WriteFile(path, text)
	}
	trees["memory"] = memory
	for name, tree := range trees {
		t.Run(name, func(t *testing.T) {
			top := "/t"
			makeLink := memory.MakeLink
			if tree != files.Tree(memory) {
				top = insideAndOutside(t)
				makeLink = func(target, path string) { link(t, target, path) }
			}
			join := tree.Flavor().Join
			in, out := join(top, "in"), join(top, "out")
			makeLink(join(out, "s.md"), join(in, "sub/away.md"))
			makeLink("../a.md", join(in, "sub/near.md"))
			makeLink(join(out, "missing"), join(in, "sub/dangling.md"))
			within, everything := files.Below(tree, in), files.Below(tree, top)
			folder, err := tree.Open(join(in, "sub"), within)
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Close()
			if name == "disk" && runtime.GOOS == "linux" { // another folder in its place, with a file of one name
				if err := os.Rename(filepath.Join(in, "sub"), filepath.Join(in, "moved")); err != nil {
					t.Fatal(err)
				}
				link(t, out, filepath.Join(in, "sub"))
			}
			for _, c := range []struct {
				name   string
				bounds files.Bounds
				want   string
			}{
				{"near.md", within, "inside"},
				{"away.md", everything, "OUTSIDE"},
				{"away.md", within, "outside"},
				{"b.md", everything, "outside"},
				{"s.md", everything, "missing"},
				{"dangling.md", everything, "missing"},
				{"nothing", everything, "missing"},
			} {
				got := ""
				o, err := folder.Link(c.name, c.bounds)
				var outside *files.OutsideError
				switch {
				case errors.As(err, &outside):
					got = "outside"
				case errors.Is(err, fs.ErrNotExist):
					got = "missing"
				case err != nil:
					t.Fatal(err)
				default:
					data, err := o.Read(100)
					if err != nil {
						t.Fatal(err)
					}
					got = string(data)
					o.Close()
				}
				if got != c.want {
					t.Errorf("%s: %s, want %s", c.name, got, c.want)
				}
			}
		})
	}
}

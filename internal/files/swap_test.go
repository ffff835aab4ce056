package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestSwappedLinks: somebody who may write a folder and swaps names and links in it as fast as the system can never gets text or
// names from outside read.
func TestSwappedLinks(t *testing.T) {
	const rounds = 4000
	for name, tree := range realTrees() {
		t.Run(name, func(t *testing.T) {
			top := insideAndOutside(t)
			in := filepath.Join(top, "in")
			link(t, filepath.Join(top, "out"), filepath.Join(in, "evil-folder"))
			link(t, filepath.Join(top, "out", "s.md"), filepath.Join(in, "evil.md"))
			within := files.Below(tree, in)
			stop := make(chan struct{})
			var swapping sync.WaitGroup
			swapping.Go(func() {
				for {
					for _, names := range [][3]string{{"a.md", "evil.md", "t1"}, {"sub", "evil-folder", "t2"}} {
						for range 2 { // there and back
							_ = os.Rename(filepath.Join(in, names[0]), filepath.Join(in, names[2]))
							_ = os.Rename(filepath.Join(in, names[1]), filepath.Join(in, names[0]))
							_ = os.Rename(filepath.Join(in, names[2]), filepath.Join(in, names[1]))
						}
					}
					select {
					case <-stop:
						return
					default:
					}
				}
			})
			read := 0
			for range rounds {
				for _, path := range []string{"a.md", "sub/b.md"} {
					data, real, err := files.ReadWithin(tree, filepath.Join(in, path), within, 100)
					if err != nil {
						continue
					}
					read++
					if string(data) != "inside" || !strings.HasPrefix(real, in) {
						t.Errorf("%s: %q of %s", path, data, real)
					}
				}
				list, err := files.ListWithin(tree, filepath.Join(in, "sub"), within)
				for _, e := range list {
					if e.Name == "s.md" {
						t.Errorf("names from outside: %v %v", list, err)
					}
				}
			}
			close(stop)
			swapping.Wait()
			if read == 0 {
				t.Error("nothing could be read at all")
			}
		})
	}
}

package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestReplacedMeanwhile: where a file is that others replace by renaming all the time is always told by its name. Linux tells the name
// of one that was replaced a moment ago with " (deleted)" after it.
func TestReplacedMeanwhile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file is not replaced there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, link := filepath.Join(dir, "a"), filepath.Join(dir, "l")
	replace := func() {
		next := filepath.Join(dir, "next")
		if err := os.WriteFile(next, []byte("text"), 0o600); err != nil {
			t.Error(err)
		}
		if err := os.Rename(next, path); err != nil {
			t.Error(err)
		}
	}
	replace()
	if err := os.Symlink("a", link); err != nil {
		t.Skip(err)
	}
	folder, err := files.OS().Open(dir, files.Anywhere())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			replace()
		}
	}()
	ways := map[string]func() (string, error){
		"Resolve":  func() (string, error) { return files.Resolve(path) },
		"RealPath": func() (string, error) { return files.OS().RealPath(link) },
		"Open": func() (string, error) {
			o, err := files.OS().Open(path, files.BelowReal(dir))
			if err != nil {
				return "", err
			}
			defer o.Close()
			return o.Real(), nil
		},
		"Link": func() (string, error) {
			o, err := folder.Link("l", files.BelowReal(dir))
			if err != nil {
				return "", err
			}
			defer o.Close()
			return o.Real(), nil
		},
	}
	for range 3000 {
		for name, way := range ways {
			if real, err := way(); err != nil || real != path {
				over.Store(true)
				t.Errorf("%s: %q, %v", name, real, err)
			}
		}
		if t.Failed() {
			break
		}
	}
	over.Store(true)
	<-done
}

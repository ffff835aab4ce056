package discover_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestSwappedRulesFolder: a folder of rules that is swapped for a link into the home while it is read shows nothing of the home, though one file that is a
// link may lead there.
func TestSwappedRulesFolder(t *testing.T) {
	const rounds = 1000
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws, documents := filepath.Join(top, "w"), filepath.Join(top, "Documents")
	for path, text := range map[string]string{filepath.Join(ws, ".cursor/rules/r.mdc"): "inside", filepath.Join(documents, "r.mdc"): "OUTSIDE", filepath.Join(ws, ".git/HEAD"): ""} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nalwaysApply: true\n---\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, link := filepath.Join(ws, ".cursor/rules"), filepath.Join(ws, ".cursor/link")
	if err := os.Symlink(documents, link); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			for range 100 {
				_ = unix.Renameat2(unix.AT_FDCWD, at, unix.AT_FDCWD, link, unix.RENAME_EXCHANGE)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	defer swapping.Wait()
	defer close(stop)
	read := false
	for range rounds {
		set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: ws, Home: top}), rule.Options{Root: ws})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range set.All() {
			if strings.Contains(r.Content, "OUTSIDE") {
				t.Fatalf("%s: %s", r.Path, r.Content)
			}
			read = read || r.Content == "inside"
		}
	}
	if !read {
		t.Error("it was not read once")
	}
}

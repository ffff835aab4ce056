package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/internal/files"
)

// watch starts watching and stops, with nothing left running, at the end of the test.
func watch(t *testing.T, opts files.WatchOptions) <-chan files.Change {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	if opts.Debounce == 0 {
		opts.Debounce = 5 * time.Millisecond
	}
	changes, err := files.Watch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		for range changes {
		}
		goleak.VerifyNone(t, leaks)
	})
	return changes
}

// expect waits until all paths were told. The time limit is there to end a broken run, not to measure.
func expect(t *testing.T, changes <-chan files.Change, paths ...string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for len(paths) > 0 {
		select {
		case c, ok := <-changes:
			if !ok || c.Err != nil {
				t.Fatalf("open %v, error %v", ok, c.Err)
			}
			if !slices.IsSorted(c.Paths) || len(c.Paths) == 0 {
				t.Errorf("change %+v", c)
			}
			paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(c.Paths, p) })
		case <-limit:
			t.Fatalf("not told: %v", paths)
		}
	}
}

// insist writes a file until that is told. A folder that is new is told for all in it, and a change may be told when the next
// one is under way already, so once may come before the folder is watched.
func insist(t *testing.T, changes <-chan files.Change, path string) {
	t.Helper()
	end := time.Now().Add(20 * time.Second)
	for i := 0; time.Now().Before(end); i++ {
		write(t, path, fmt.Sprint(i))
		for again := time.After(100 * time.Millisecond); again != nil; {
			select {
			case c, ok := <-changes:
				if !ok || c.Err != nil {
					t.Fatalf("open %v, error %v", ok, c.Err)
				}
				if slices.Contains(c.Paths, path) {
					return
				}
			case <-again:
				again = nil
			}
		}
	}
	t.Fatalf("not told: %v", path)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func TestWatchFilesAndNewFolders(t *testing.T) {
	root := t.TempDir()
	at := func(p string) string { return filepath.Join(root, filepath.FromSlash(p)) }
	mkdir(t, at("old/deep"))
	write(t, at("old/deep/a"), "1")
	changes := watch(t, files.WatchOptions{Roots: []string{root}})
	write(t, at("old/deep/a"), "2")
	expect(t, changes, at("old/deep/a"))
	mkdir(t, at("new/deep"))
	expect(t, changes, at("new"))
	insist(t, changes, at("new/deep/b"))
	remove(t, at("old/deep/a"))
	expect(t, changes, at("old/deep/a"))
	if err := os.Rename(at("new"), at("moved")); err != nil {
		t.Fatal(err)
	}
	expect(t, changes, at("new"), at("moved"))
	insist(t, changes, at("moved/deep/b"))
}

func TestWatchSaveByRename(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "x.md")
	write(t, path, "1")
	for _, roots := range [][]string{{root}, {path}} { // the folder, and the file itself
		changes := watch(t, files.WatchOptions{Roots: roots})
		for i := range 3 {
			if err := own(t, path).Write(fmt.Append(nil, i), 0o644); err != nil {
				t.Fatal(err)
			}
			expect(t, changes, path)
		}
	}
}

func TestWatchRootThatComesAndGoes(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "a", "b", "root")
	changes := watch(t, files.WatchOptions{Roots: []string{root}})
	for range 3 {
		mkdir(t, root)
		expect(t, changes, root)
		insist(t, changes, filepath.Join(root, "x"))
		remove(t, filepath.Join(base, "a"))
		expect(t, changes, root)
	}
}

func TestWatchRootThatIsReplaced(t *testing.T) {
	base := t.TempDir()
	root, other := filepath.Join(base, "root"), filepath.Join(base, "other")
	mkdir(t, root)
	mkdir(t, filepath.Join(other, "sub"))
	changes := watch(t, files.WatchOptions{Roots: []string{root}})
	remove(t, root)
	if err := os.Rename(other, root); err != nil {
		t.Fatal(err)
	}
	expect(t, changes, root)
	insist(t, changes, filepath.Join(root, "sub", "x"))
}

func TestWatchIsQuietAboutTheRest(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	mkdir(t, filepath.Join(root, "skip"))
	changes := watch(t, files.WatchOptions{
		Roots: []string{root},
		Skip:  func(path string) bool { return filepath.Base(path) == "skip" },
	})
	write(t, filepath.Join(base, "sibling"), "1")
	write(t, filepath.Join(root, "skip", "x"), "1")
	write(t, filepath.Join(root, "last"), "1")
	c := <-changes
	if want := []string{filepath.Join(root, "last")}; !slices.Equal(c.Paths, want) {
		t.Errorf("told of %v", c.Paths)
	}
}

// A receiver that is busy gets everything at once afterwards, and very much of it as a request to look at everything.
func TestWatchCollectsForABusyReceiver(t *testing.T) {
	root := t.TempDir()
	changes := watch(t, files.WatchOptions{Roots: []string{root}})
	for i := range 5000 {
		write(t, filepath.Join(root, fmt.Sprint(i)), "")
	}
	limit := time.After(20 * time.Second)
	told := map[string]bool{}
	for {
		select {
		case c := <-changes:
			for _, p := range c.Paths {
				told[p] = true
			}
			if c.Rescan || len(told) == 5000 {
				return
			}
		case <-limit:
			t.Fatalf("told of %d files", len(told))
		}
	}
}

func TestWatchTellsWhatItCannotWatch(t *testing.T) {
	root := t.TempDir()
	for i := range 5 {
		mkdir(t, filepath.Join(root, fmt.Sprint(i)))
	}
	changes := watch(t, files.WatchOptions{Roots: []string{root}, MaxFolders: 3})
	if c := <-changes; c.Err == nil {
		t.Errorf("change %+v", c)
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(t.Context())
	root := t.TempDir()
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "x"), "nobody is listening")
	cancel()
	for range changes {
	}
}

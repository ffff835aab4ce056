package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/internal/files"
)

// instances counts the watchers of the system that this process has.
func instances(t *testing.T) (n int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.Contains(to, "inotify") {
			n++
		}
	}
	return n
}

// sharedWatch follows folders with the others of ctx. told waits until a path
// was told, while do makes it change again and again: the first time may come
// before the folder is watched.
func sharedWatch(ctx context.Context, t *testing.T, roots ...string) (told func(path string, do func(i int))) {
	t.Helper()
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots, Debounce: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return func(path string, do func(i int)) {
		t.Helper()
		for i := range 300 {
			do(i)
			again := time.After(100 * time.Millisecond)
			for waiting := true; waiting; {
				select {
				case c, ok := <-changes:
					if !ok {
						t.Fatal("the watch has ended")
					}
					if c.Rescan || slices.Contains(c.Paths, path) {
						return
					}
				case <-again:
					waiting = false
				}
			}
		}
		t.Fatalf("%s was not told", path)
	}
}

// TestShare holds that many watches take one watcher of the system, that each
// hears of a folder under its own name for it, and that the end of one, or of the
// folder, is not that of the others.
func TestShare(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	before := instances(t)
	base := t.TempDir()
	real, link := filepath.Join(base, "real"), filepath.Join(base, "link")
	folder := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(path, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	folder(real)
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(files.Share(t.Context()))
	first, end := context.WithCancel(ctx)
	var all []func(string, func(int))
	var roots []string
	for i := range 30 {
		root, of := real, ctx
		if i%2 == 1 {
			root = link
		}
		if i == 0 {
			of = first // the one whose name the system uses
		}
		all, roots = append(all, sharedWatch(of, t, root)), append(roots, root)
	}
	if now := instances(t); now != before+1 {
		t.Errorf("%d watchers of the system instead of 1", now-before)
	}
	write := func(path string) func(int) {
		return func(i int) {
			if err := os.WriteFile(path, fmt.Append(nil, i), 0o644); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
	for i, told := range all {
		told(filepath.Join(roots[i], "sub", "x"), write(filepath.Join(real, "sub", "x")))
	}
	end()
	for i, told := range all[1:] {
		told(filepath.Join(roots[i+1], "sub", "y"), write(filepath.Join(real, "sub", "y")))
	}
	if err := os.Rename(real, real+".old"); err != nil { // the folder's end, and another of that name
		t.Fatal(err)
	}
	folder(real)
	for i, told := range all[1:] {
		if i%2 == 1 { // behind a link, only what the link itself is in is watched
			told(filepath.Join(roots[i+1], "sub", "z"), write(filepath.Join(real, "sub", "z")))
		}
	}
	stop()
	for now := time.Now(); instances(t) != before; time.Sleep(time.Millisecond) {
		if time.Since(now) > 20*time.Second {
			t.Fatal("a watcher of the system is left")
		}
	}
	goleak.VerifyNone(t, leaks)
}

// TestShareStorm holds that watches which come and go while folders come and go
// leave nothing behind, and that one that stays hears of everything in the end.
func TestShareStorm(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	before := instances(t)
	base := t.TempDir()
	ctx, stop := context.WithCancel(files.Share(t.Context()))
	told := sharedWatch(ctx, t, filepath.Join(base, "a"), filepath.Join(base, "b"))
	var work sync.WaitGroup
	for k := range 4 {
		work.Go(func() {
			for i := range 40 {
				from, to := filepath.Join(base, "a"), filepath.Join(base, "b")
				switch (i + k) % 4 {
				case 0:
					_ = os.MkdirAll(filepath.Join(from, "c", "d"), 0o755)
				case 1:
					_ = os.RemoveAll(to)
				case 2:
					_ = os.Rename(from, to)
				}
				brief, end := context.WithCancel(ctx)
				changes, err := files.Watch(brief, files.WatchOptions{Roots: []string{from, to}, Debounce: time.Millisecond})
				if err != nil {
					t.Error(err)
				}
				time.Sleep(time.Millisecond)
				end()
				for range changes { // until it is closed
				}
			}
		})
	}
	work.Wait()
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(base, name, "c", "d", "last")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		told(path, func(i int) {
			if err := os.WriteFile(path, fmt.Append(nil, i), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	if now := instances(t); now != before+1 {
		t.Errorf("%d watchers of the system instead of 1", now-before)
	}
	stop()
	for now := time.Now(); instances(t) != before; time.Sleep(time.Millisecond) {
		if time.Since(now) > 20*time.Second {
			t.Fatal("a watcher of the system is left")
		}
	}
	goleak.VerifyNone(t, leaks)
}

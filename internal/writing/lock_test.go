package writing_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

func TestLockExcludes(t *testing.T) {
	target := own(t, filepath.Join(t.TempDir(), "one.json"))
	var group sync.WaitGroup
	var inside, count atomic.Int32
	for range 8 {
		group.Go(func() {
			for range 5 {
				unlock, err := target.Lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				count.Add(1)
				inside.Add(-1)
				unlock()
			}
		})
	}
	group.Wait()
	if count.Load() != 40 {
		t.Errorf("counted %d", count.Load())
	}
}

func TestLockEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.json")
	target := own(t, path)
	unlock, err := target.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := target.Lock(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := own(t, filepath.Join(filepath.Dir(path), "none", "one.json")).Lock(t.Context()); err == nil {
		t.Error("a lock in a folder that is missing")
	}
}

// TestLockThroughLinks: a lock is never made through a link, not even through one that
// stays in the folder.
func TestLockThroughLinks(t *testing.T) {
	dir := t.TempDir()
	for _, leads := range []string{"elsewhere", filepath.Join("..", filepath.Base(dir)+"-victim"), "one.json.lock"} {
		link := filepath.Join(dir, "one.json.lock")
		if err := os.Symlink(leads, link); err != nil {
			t.Skip(err)
		}
		var linked *writing.LinkedLockError
		if _, err := own(t, filepath.Join(dir, "one.json")).Lock(t.Context()); !errors.As(err, &linked) {
			t.Errorf("%s: %v", leads, err)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%s: there is %v, %v", leads, list, err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(dir + "-victim"); err == nil {
		t.Error("a lock was made elsewhere")
	}
}

// TestLockRemoved: who removes the lock as the last thing that it does with it, lets nobody in beside another one: a file that was opened
// before that, and locked after it, is no lock.
func TestLockRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open lock cannot be removed there")
	}
	target := own(t, filepath.Join(t.TempDir(), "one.json"))
	var group sync.WaitGroup
	var inside atomic.Int32
	for range 16 {
		group.Go(func() {
			for range 50 {
				unlock, err := target.Lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				runtime.Gosched()
				inside.Add(-1)
				if err := target.RemoveLock(); err != nil {
					t.Error(err)
				}
				unlock()
			}
		})
	}
	group.Wait()
}

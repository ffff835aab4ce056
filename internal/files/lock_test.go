package files_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

func TestLockExcludes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var group sync.WaitGroup
	var inside, count atomic.Int32
	for range 8 {
		group.Go(func() {
			for range 5 {
				unlock, err := files.Lock(t.Context(), path)
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
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := files.Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.Lock(ctx, path); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := files.Lock(t.Context(), filepath.Join(path, "none", "lock")); err == nil {
		t.Error("a lock in a folder that is missing")
	}
}

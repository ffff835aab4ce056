package follow_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
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

// TestShare holds that many followers take one watcher of the system, that each
// hears of a folder, and that the end of one is not that of the others.
func TestShare(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	before := instances(t)
	base := t.TempDir()
	file := filepath.Join(base, "real", "file")
	putFile(t, file, "1")
	symlink(t, "real", filepath.Join(base, "link"))
	ctx, stop := context.WithCancel(follow.Restrict(follow.Share(t.Context()), follow.Means{Blind: true}))
	first, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	var seen []chan string
	for i := range 30 {
		path, of, heard := file, ctx, make(chan string, 100)
		if i%2 == 1 {
			path = filepath.Join(base, "link", "file")
		}
		if i == 0 {
			of = first
		}
		seen = append(seen, heard)
		all.Go(func() {
			_ = follow.Changes(of, follow.Options{Debounce: time.Millisecond}, func(ctx context.Context) (time.Duration, error) {
				text, _ := follow.Noted(ctx, files.OS()).ReadFile(path, 0)
				heard <- string(text)
				return 0, nil
			})
		})
	}
	for _, heard := range seen {
		until(t, heard, "1")
	}
	putFile(t, file, "2")
	for _, heard := range seen {
		until(t, heard, "2")
	}
	if now := instances(t); now != before+1 {
		t.Errorf("%d watchers of the system instead of 1", now-before)
	}
	end()
	must(t, os.Rename(filepath.Dir(file), filepath.Dir(file)+".old")) // the folder's end, and another of that name
	putFile(t, file, "3")
	for _, heard := range seen[1:] {
		until(t, heard, "3")
	}
	stop()
	all.Wait()
	if now := instances(t); now != before {
		t.Errorf("%d watchers of the system are left", now-before)
	}
	goleak.VerifyNone(t, leaks)
}

// TestShareStorm holds that followers which come and go while folders come and go
// leave nothing behind, and that one that stays sees the last of it.
func TestShareStorm(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	before := instances(t)
	base := t.TempDir()
	ctx, stop := context.WithCancel(follow.Share(t.Context()))
	last := filepath.Join(base, "a", "c", "d", "last")
	read := func(ctx context.Context) string {
		tree := follow.Noted(ctx, files.OS())
		_, _ = tree.ReadDir(filepath.Join(base, "b"))
		text, _ := tree.ReadFile(last, 0)
		return string(text)
	}
	seen, ended := make(chan string, 10_000), make(chan error, 1)
	go func() {
		ended <- follow.Changes(ctx, follow.Options{Debounce: time.Millisecond}, func(ctx context.Context) (time.Duration, error) {
			seen <- read(ctx)
			return 0, nil
		})
	}()
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
				_ = follow.Changes(brief, follow.Options{Debounce: time.Millisecond}, func(ctx context.Context) (time.Duration, error) {
					read(ctx)
					end()
					return 0, nil
				})
				end()
			}
		})
	}
	work.Wait()
	putFile(t, last, "done")
	until(t, seen, "done")
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if now := instances(t); now != before {
		t.Errorf("%d watchers of the system are left", now-before)
	}
	goleak.VerifyNone(t, leaks)
}

package skill_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/skill"
)

func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	root, elsewhere := filepath.Join(dir, "skills"), filepath.Join(dir, "elsewhere")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(elsewhere, "SKILL.md"), valid("linked"))
	l := skill.Library{Tree: files.OS(), Roots: []skill.Root{{Source: "claude", Dir: root}}}
	ctx, stop := context.WithCancel(t.Context())
	seen := make(chan *skill.Registry, 64)
	ended := make(chan error, 1)
	go func() { ended <- l.Watch(ctx, func(r *skill.Registry) { seen <- r }) }()
	// until waits for a registry as wanted, and does the change again in case the
	// watch had not begun.
	until := func(what string, change func(), want func(*skill.Registry) bool) {
		t.Helper()
		for range 50 {
			change()
			timeout := time.After(400 * time.Millisecond)
			for waiting := true; waiting; {
				select {
				case r := <-seen:
					if want(r) {
						return
					}
				case <-timeout:
					waiting = false
				}
			}
		}
		t.Fatalf("%s was not seen", what)
	}
	until("a new skill", func() { write(filepath.Join(root, "x", "SKILL.md"), valid("x")) }, func(r *skill.Registry) bool {
		return len(r.Skills()) == 1 && r.Skills()[0].Name == "x"
	})
	until("a change", func() { write(filepath.Join(root, "x", "SKILL.md"), valid("other")) }, func(r *skill.Registry) bool {
		return r.Skills()[0].Name == "other"
	})
	until("a link", func() { _ = os.Symlink(elsewhere, filepath.Join(root, "y")) }, func(r *skill.Registry) bool { return len(r.Skills()) == 2 })
	until("a change behind a link", func() { write(filepath.Join(elsewhere, "SKILL.md"), valid("changed")) }, func(r *skill.Registry) bool {
		return len(r.Skills()) == 2 && r.Skills()[1].Name == "changed"
	})
	until("a removal", func() { _ = os.RemoveAll(filepath.Join(root, "x")) }, func(r *skill.Registry) bool { return len(r.Skills()) == 1 })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

package skill_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/skill"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// follow runs Watch until the test ends. What is told comes through the channel;
// changed, which may be nil, is called first.
func follow(t *testing.T, l skill.Library, changed func(*skill.Registry)) <-chan *skill.Registry {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	seen := make(chan *skill.Registry, 64)
	ended := make(chan error, 1)
	go func() {
		ended <- l.Watch(ctx, func(r *skill.Registry) {
			if changed != nil {
				changed(r)
			}
			seen <- r
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return seen
}

// begun changes a skill until that is told: what came before the watch began is
// not.
func begun(t *testing.T, seen <-chan *skill.Registry, path string) {
	t.Helper()
	for i := range 300 {
		put(t, path, valid(fmt.Sprintf("try %d", i)))
		select {
		case <-seen:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("nothing is told")
}

// told waits for a registry whose skills have these names.
func told(t *testing.T, seen <-chan *skill.Registry, names ...string) {
	t.Helper()
	limit := time.After(30 * time.Second)
	var got []string
	for {
		select {
		case r := <-seen:
			got = nil
			for _, s := range r.Skills() {
				got = append(got, s.Name)
			}
			if slices.Equal(got, names) {
				return
			}
		case <-limit:
			t.Fatalf("the last that was told is %q, want %q", got, names)
		}
	}
}

// TestWatchBetweenWatches: what happens while the watch is made anew, since there
// is a new folder behind a link, is told.
func TestWatchBetweenWatches(t *testing.T) {
	dir := t.TempDir()
	root, elsewhere := filepath.Join(dir, "skills"), filepath.Join(dir, "elsewhere")
	put(t, filepath.Join(elsewhere, "SKILL.md"), valid("first"))
	put(t, filepath.Join(root, "x", "SKILL.md"), valid("x"))
	var once sync.Once
	seen := follow(t, skill.Library{Roots: []skill.Root{{Source: "claude", Dir: root}}}, func(r *skill.Registry) {
		if len(r.Skills()) == 2 {
			once.Do(func() { put(t, filepath.Join(elsewhere, "SKILL.md"), valid("second")) })
		}
	})
	begun(t, seen, filepath.Join(root, "x", "SKILL.md"))
	put(t, filepath.Join(root, "x", "SKILL.md"), valid("y"))
	told(t, seen, "y")
	if err := os.Symlink(elsewhere, filepath.Join(root, "z")); err != nil {
		t.Skip(err)
	}
	told(t, seen, "y", "second")
}

// choices are a State that cannot be read for a while.
type choices struct {
	mu   sync.Mutex
	fail bool
	told chan struct{} // of a failure
}

func (c *choices) Choices() (skill.Choices, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail {
		select {
		case c.told <- struct{}{}:
		default:
		}
		return nil, errors.New("half written")
	}
	return nil, nil
}

func (*choices) Set(context.Context, skill.Key, *bool) error { return nil }

func (c *choices) set(fail bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fail = fail
}

// TestWatchWithBrokenChoices: a file of choices that is broken for a while ends
// nothing, and what changed meanwhile is told when it is whole again.
func TestWatchWithBrokenChoices(t *testing.T) {
	for name, broken := range map[string]bool{"later": false, "from the start": true} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			state := &choices{fail: broken, told: make(chan struct{}, 1)}
			seen := follow(t, skill.Library{Roots: []skill.Root{{Source: "claude", Dir: root}}, State: state}, nil)
			if !broken {
				begun(t, seen, filepath.Join(root, "x", "SKILL.md"))
				state.set(true)
			}
			put(t, filepath.Join(root, "x", "SKILL.md"), valid("y"))
			<-state.told
			state.set(false)
			told(t, seen, "y")
		})
	}
}

func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	root, elsewhere := filepath.Join(dir, "skills"), filepath.Join(dir, "elsewhere")
	write := func(path, text string) {
		t.Helper()
		put(t, path, text)
	}
	write(filepath.Join(elsewhere, "SKILL.md"), valid("linked"))
	l := skill.Library{Roots: []skill.Root{{Source: "claude", Dir: root}}}
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

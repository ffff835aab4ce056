package hook_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/internal/replica"
)

// bucket is a store that machines share.
type bucket struct {
	mu     sync.Mutex
	values map[string][]byte
	revs   map[string]uint64
}

func (b *bucket) Get(_ context.Context, key string) ([]byte, uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.values[key], b.revs[key], nil
}

func (b *bucket) Put(_ context.Context, key string, value []byte, revision uint64) (uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.revs[key] != revision {
		return 0, replica.ErrConflict
	}
	b.values[key] = value
	b.revs[key]++
	return b.revs[key], nil
}

// carry is what a process does that carries for a machine.
func (w *world) carry(name string, b *bucket) {
	w.t.Helper()
	v := hook.Shared(hook.SharedOptions{State: w.state(), Bucket: b, Machine: name})
	if _, err := v.Carry(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) state() string { return filepath.Join(w.home, ".local", "state", "pertain") }

// TestMoved: a conversation that goes on at another machine is known there from its second call on, and what was told on both is told on neither again.
func TestMoved(t *testing.T) {
	b := &bucket{values: map[string][]byte{}, revs: map[string]uint64{}}
	one, two := noEval(t), noEval(t)
	has(t, one.read("a.ts"), "Use strict types.")
	lacks(t, one.read("a.ts"), "Use strict types.")
	one.carry("one", b)
	for key, value := range b.values {
		if strings.Contains(key+string(value), "types") || strings.Contains(key, "claude") {
			t.Errorf("%s: %q", key, value)
		}
	}
	two.file("other.md", "")
	two.read("other.md") // the first call there: a file that no rule is for
	two.carry("two", b)
	lacks(t, two.read("a.ts"), "Use strict types.")
	has(t, two.write("b.ts", `eval("1")`), "Never use eval.")
	two.carry("two", b)
	one.read("other.md")
	one.carry("one", b)
	lacks(t, one.read("a.ts"), "Use strict types.")
}

// TestUnnamed: what an agent does not name could be any conversation, and stays on its machine.
func TestUnnamed(t *testing.T) {
	b := &bucket{values: map[string][]byte{}, revs: map[string]uint64{}}
	w := noEval(t)
	w.event(fields{"hook_event_name": "PostToolUse", "cwd": w.dir, "tool_name": "Read", "tool_input": fields{"file_path": filepath.Join(w.dir, "a.ts")}}, "claude")
	if list, err := os.ReadDir(filepath.Join(w.state(), "hooks")); err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	w.carry("one", b)
	if len(b.values) != 0 {
		t.Errorf("%d were carried", len(b.values))
	}
}

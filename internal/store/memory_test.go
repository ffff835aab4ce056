package store_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/store"
	"github.com/pertain-dev/pertain/stream"
)

// memoryContract is what every stream.Memory does. open gives the same
// conversation each time it is called, as a new process would find it.
func memoryContract(t *testing.T, open func(t *testing.T) stream.Memory) {
	ctx := context.Background()
	load := func(t *testing.T, m stream.Memory) stream.Record {
		t.Helper()
		r, err := m.Load(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	save := func(t *testing.T, m stream.Memory, r stream.Record) {
		t.Helper()
		if err := m.Save(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("empty", func(t *testing.T) {
		if r := load(t, open(t)); r.Turn != 0 || len(r.Injected) != 0 {
			t.Errorf("a new conversation has %+v", r)
		}
	})
	t.Run("keeps", func(t *testing.T) {
		want := stream.Record{Turn: 12, Injected: map[string]int64{"no-unwrap": 3, "a/b \"c\"\n": 12}}
		save(t, open(t), want)
		if got := load(t, open(t)); !reflect.DeepEqual(got, want) {
			t.Errorf("saved %+v, loaded %+v", want, got)
		}
	})
	t.Run("replaces", func(t *testing.T) {
		m := open(t)
		save(t, m, stream.Record{Turn: 1, Injected: map[string]int64{"x": 1}})
		save(t, m, stream.Record{Turn: 2, Injected: map[string]int64{"y": 2}})
		if got := load(t, open(t)); got.Turn != 2 || len(got.Injected) != 1 || got.Injected["y"] != 2 {
			t.Errorf("loaded %+v", got)
		}
	})
	t.Run("does not keep the map", func(t *testing.T) {
		m := open(t)
		r := stream.Record{Turn: 1, Injected: map[string]int64{"x": 1}}
		save(t, m, r)
		r.Injected["x"] = 9
		load(t, m).Injected["x"] = 8
		if got := load(t, m); got.Injected["x"] != 1 {
			t.Errorf("loaded %+v", got)
		}
	})
	t.Run("many at once", func(t *testing.T) {
		m := open(t)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for j := range 5 {
					n := int64(i*100 + j)
					_ = m.Save(ctx, stream.Record{Turn: n, Injected: map[string]int64{"x": n}})
					if r, err := m.Load(ctx); err != nil || r.Injected["x"] != r.Turn {
						t.Errorf("loaded %+v, %v", r, err)
					}
				}
			})
		}
		all.Wait()
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		m := open(t)
		cancel()
		// Whether it still answers is the backend's business; it must not hang.
		_, _ = m.Load(ctx)
		_ = m.Save(ctx, stream.Record{})
	})
}

func TestForgetfulMemory(t *testing.T) {
	kept := &stream.Forgetful{}
	memoryContract(t, func(*testing.T) stream.Memory { return kept })
}

func TestFileMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "conversations", "one.json")
	memoryContract(t, func(t *testing.T) stream.Memory {
		m, err := store.OpenMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		return m
	})
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestFileMemoryAfterCrash: a file that was being written beside the record when
// the machine stopped does not disturb it.
func TestFileMemoryAfterCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.json")
	m, err := store.OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(context.Background(), stream.Record{Turn: 4, Injected: map[string]int64{"x": 4}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".one.json.123.tmp"), []byte(`{"version":1,"tu`), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := m.Load(context.Background())
	if err != nil || r.Turn != 4 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestFileMemoryRefuses(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"version":2,"turn":1}`, `{"turn":1}`} {
		path := filepath.Join(t.TempDir(), "one.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, _ := store.OpenMemory(path)
		if _, err := m.Load(context.Background()); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestWatcherSurvivesRestart: what was injected is not injected again by the next
// process.
func TestWatcherSurvivesRestart(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "one.json")
	set, _ := stream.Compile([]stream.Trigger{{Name: "no-unwrap", Patterns: []string{`\.unwrap\(\)`}}}, stream.Options{})
	for i, want := range []bool{true, false, false} {
		m, err := store.OpenMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := stream.NewWatcher(ctx, set, m, stream.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		w.StartUserTurn()
		w.StartTurn()
		v, err := w.Feed(ctx, stream.Source{}, "x.unwrap()")
		if err != nil || v.Interrupt != want {
			t.Errorf("process %d: %+v %v", i, v, err)
		}
	}
	if text, _ := os.ReadFile(path); string(text) != "{\"version\":1,\"turn\":1,\"injected\":{\"no-unwrap\":1}}\n" {
		t.Errorf("the file is %s", text)
	}
}

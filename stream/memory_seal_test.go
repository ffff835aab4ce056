package stream_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// realDir is a folder for the test, without links on the way to it.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// wax is a seal whose marks say what they are for.
type wax struct{ broken error }

func (w wax) Mark(_ context.Context, name string, text []byte) (string, error) {
	return fmt.Sprintf("%s of %d", filepath.Base(name), len(text)), w.broken
}

func (w wax) Holds(name string, text []byte, mark string) bool {
	return mark == fmt.Sprintf("%s of %d", filepath.Base(name), len(text))
}

// TestSealedMemory: a memory with a seal believes what it wrote itself and nothing else.
func TestSealedMemory(t *testing.T) {
	path := filepath.Join(realDir(t), "folder", "memory.json")
	doubts := 0
	open := func(seal stream.Seal) *stream.FileMemory {
		m, err := stream.OpenFileMemory(path)
		if err != nil || m.Path() != path {
			t.Fatal(m, err)
		}
		if seal != nil {
			m.Believe(seal, func() { doubts++ })
		}
		return m
	}
	ctx := t.Context()
	want := stream.Record{Turn: 3, Injected: map[string]int64{"a": 2}, Interrupted: 2, Foreign: 1}
	load := func(m *stream.FileMemory, want stream.Record, doubted int) {
		t.Helper()
		got, err := m.Load(ctx)
		if err != nil || got.Turn != want.Turn || !maps.Equal(got.Injected, want.Injected) || got.Interrupted != want.Interrupted || got.Foreign != want.Foreign || doubts != doubted {
			t.Errorf("%+v, %v, %d doubts; want %+v, %d", got, err, doubts, want, doubted)
		}
	}
	load(open(wax{}), stream.Record{}, 0) // nothing there yet
	if err := open(wax{}).Save(ctx, want); err != nil {
		t.Fatal(err)
	}
	load(open(wax{}), want, 0)
	load(open(nil), want, 0)
	if err := open(wax{errors.New("no wax")}).Save(ctx, stream.Record{Turn: 9}); err == nil || !strings.Contains(err.Error(), "no wax") {
		t.Errorf("saved without a mark: %v", err)
	}
	load(open(wax{}), want, 0)
	if err := open(wax{}).Update(ctx, func(r *stream.Record) bool { r.Turn++; return r.Turn == 4 }); err != nil {
		t.Error(err)
	}
	want.Turn = 4
	load(open(wax{}), want, 0)
	data, _ := os.ReadFile(path)
	for i, text := range []string{strings.Replace(string(data), `"turn":4`, `"turn":44`, 1), strings.Replace(string(data), `"mark"`, `"other"`, 1), `{"version":1,"turn":7}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		load(open(wax{}), stream.Record{}, i+1)
	}
	if err := open(nil).Save(ctx, want); err != nil {
		t.Fatal(err)
	}
	load(open(wax{}), stream.Record{}, 4)
	load(open(nil), want, 4)
}

// TestMemoryThatCannotBe: names and files that are none, and a caller who has gone.
func TestMemoryThatCannotBe(t *testing.T) {
	dir := realDir(t)
	if _, err := stream.OpenFileMemory(""); err == nil {
		t.Error("a memory without a name")
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.OpenFileMemoryIn(dir, "file/below"); err == nil {
		t.Error("a memory below a file")
	}
	m, err := stream.OpenFileMemoryIn(dir, "new/memory")
	if err != nil || m.Path() != filepath.Join(dir, "new", "memory") {
		t.Fatal(m, err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := m.Load(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("loaded for nobody: %v", err)
	}
	if err := m.Save(gone, stream.Record{Turn: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("saved for nobody: %v", err)
	}
	if _, err := os.Stat(m.Path()); err == nil {
		t.Error("there is a file")
	}
	for _, text := range []string{"{", `{"version":2}`, "[]"} {
		if err := os.WriteFile(m.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		set := compile(t, "a")
		if _, err := stream.NewWatcher(t.Context(), set, m, stream.Policy{}); !errors.Is(err, stream.ErrNoRecord) {
			t.Errorf("%s: %v", text, err)
		}
		if err := m.Update(t.Context(), func(*stream.Record) bool { t.Error("changed"); return true }); !errors.Is(err, stream.ErrNoRecord) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestRecordsAreMended: numbers that cannot be do not silence a rule.
func TestRecordsAreMended(t *testing.T) {
	for _, record := range []stream.Record{{Turn: 1, Interrupted: -5, Foreign: -2}, {Turn: 1, Interrupted: 2, Foreign: 9}} {
		memory := &stream.Forgetful{}
		if err := memory.Save(t.Context(), record); err != nil {
			t.Fatal(err)
		}
		set, _ := stream.Compile([]stream.Trigger{{Name: "own", Patterns: []string{"a"}, Own: true}}, stream.Options{})
		w, err := stream.NewWatcher(t.Context(), set, memory, stream.Policy{Budget: 1})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := w.Feed(t.Context(), text, "a"); !v.Interrupt || err != nil {
			t.Errorf("%+v: %+v, %v", record, v, err)
		}
		if got, _ := memory.Load(t.Context()); got.Interrupted < 1 || got.Foreign < 0 || got.Foreign > got.Interrupted {
			t.Errorf("%+v became %+v", record, got)
		}
	}
}

// TestFeedBytes: bytes are as good as text, and are not kept.
func TestFeedBytes(t *testing.T) {
	set := compile(t, "abc")
	st := set.Stream()
	piece := []byte("xab")
	if found := st.FeedBytes(piece); len(found) > 0 {
		t.Error(found)
	}
	copy(piece, "zzz")
	if found := st.FeedBytes([]byte("c")); len(found) != 1 || found[0].Offset != 4 {
		t.Error(found)
	}
}

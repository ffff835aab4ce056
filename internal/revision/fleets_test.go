package revision_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/revision"
)

// TestFleets: two fleets with one namespace do not get into each other's way, whatever numbers they are at.
func TestFleets(t *testing.T) {
	a, b := newWorld(t), newWorld(t)
	b.store = a.store
	ours, theirs := map[string]string{"rules/a.md": "A"}, map[string]string{"rules/a.md": "B"}
	if err := a.keep(1, ours); err != nil {
		t.Fatal(err)
	}
	if _, err := b.open(); !errors.Is(err, revision.ErrSignature) {
		t.Errorf("a copy of another fleet alone: %v", err)
	}
	for number := range int64(4) {
		if err := b.keep(1+number, theirs); err != nil {
			t.Fatal(err)
		}
	}
	text := func(w *world) string {
		t.Helper()
		found, err := w.open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(found.Folder("rules"), "a.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := text(a) + text(b); got != "AB" {
		t.Errorf("in force are %s", got)
	}
	if err := a.keep(1, ours); err != nil { // back, as the servers show it
		t.Errorf("going back: %v", err)
	}
	if number, sum := b.store.Newest(b.trust); number != 4 || sum == "" {
		t.Errorf("of the other fleet %d, %q is known", number, sum)
	}
	var old *revision.OldError
	if err := b.keep(2, theirs); !errors.As(err, &old) {
		t.Errorf("an old revision of the other fleet: %v", err)
	}
}

// TestFormer: what a version wrote that knew one copy alone is in force still, and is not lost to another fleet.
func TestFormer(t *testing.T) {
	a, b := newWorld(t), newWorld(t)
	b.store = a.store
	if err := a.keep(3, map[string]string{"rules/a.md": "A"}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(a.store.Dir, "current.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var current map[string]any
	if err := json.Unmarshal(data, &current); err != nil {
		t.Fatal(err)
	}
	delete(current, "key")
	current["seen"] = map[string]int64{a.trust.Keys[0].ID(): 3}
	if data, err = json.Marshal(current); err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data))
	var old *revision.OldError
	if err := a.keep(2, map[string]string{"rules/a.md": "old"}); !errors.As(err, &old) {
		t.Errorf("an old revision: %v", err)
	}
	if err := b.keep(9, map[string]string{"rules/a.md": "B"}); err != nil {
		t.Fatal(err)
	}
	if found, err := a.open(); err != nil || found.Revision != 3 {
		t.Errorf("%+v, %v", found, err)
	}
	// One whose copy is lost is taken again.
	remove(t, path)
	write(t, path, `{"revision":9,"manifest":"`+current["manifest"].(string)+`","key":"RW","seen":{"`+a.trust.Keys[0].ID()+`":3}}`)
	if err := a.keep(3, map[string]string{"rules/a.md": "A"}); err != nil {
		t.Errorf("the greatest number, of which nothing is here: %v", err)
	}
}

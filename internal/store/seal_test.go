package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/store"
)

func TestSeal(t *testing.T) {
	seal := store.Seal{Path: filepath.Join(t.TempDir(), "state", "seal.key")}
	if seal.Holds("a", []byte("text"), "") {
		t.Error("a mark holds before there is a key")
	}
	const calls = 8
	marks := make([]string, calls) // all at once: there is one key
	var group sync.WaitGroup
	for i := range calls {
		group.Go(func() {
			var err error
			if marks[i], err = seal.Mark(t.Context(), "a", []byte("text")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, mark := range marks {
		if mark != marks[0] || !seal.Holds("a", []byte("text"), mark) {
			t.Fatalf("the mark %q does not hold", mark)
		}
	}
	for _, other := range []struct{ name, text, mark string }{
		{"a", "text", ""},
		{"a", "text", marks[0][2:]},
		{"a", "text", "zz" + marks[0][2:]},
		{"a", "text2", marks[0]},
		{"b", "text", marks[0]},
		{"a\ntext", "", marks[0]},
		{"", "a\ntext", marks[0]},
	} {
		if seal.Holds(other.name, []byte(other.text), other.mark) {
			t.Errorf("%+v holds", other)
		}
	}
	if other := (store.Seal{Path: seal.Path + "2"}); other.Holds("a", []byte("text"), marks[0]) {
		t.Error("the mark holds without its key")
	}
	info, err := os.Stat(seal.Path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key has mode %v, %v", info.Mode(), err)
	}
	for _, broken := range []string{"", "abc", "0123"} {
		if err := os.WriteFile(seal.Path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := seal.Mark(t.Context(), "a", nil); err == nil {
			t.Errorf("%q was taken for a key", broken)
		}
		if data, _ := os.ReadFile(seal.Path); string(data) != broken {
			t.Errorf("%q was overwritten", broken)
		}
	}
	if _, err := (store.Seal{}).Mark(t.Context(), "a", nil); err == nil {
		t.Error("a mark without a place for its key")
	}
}

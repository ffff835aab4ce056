package writing_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

type counts struct {
	Version int            `json:"version"`
	Of      map[string]int `json:"of,omitempty"`
}

func TestJSONFile(t *testing.T) {
	k := writing.JSONFile[counts]{
		Path: filepath.Join(t.TempDir(), "folder", "counts.json"), Limit: 1 << 10, Newest: 2,
		Version: func(c *counts) *int { return &c.Version }, Command: "pertain count", Remedy: "and count again",
	}
	if value, err := k.Read(); err != nil || value.Version != 2 || value.Of != nil {
		t.Errorf("without a file: %+v, %v", value, err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := k.Change(t.Context(), func(c *counts) bool {
				if c.Of == nil {
					c.Of = map[string]int{}
				}
				c.Of[fmt.Sprint("<", i, ">")] = i
				return true
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	value, err := k.Read()
	if err != nil || len(value.Of) != 8 || value.Version != 2 {
		t.Errorf("%+v, %v", value, err)
	}
	data, err := os.ReadFile(k.Path)
	if err != nil || !strings.Contains(string(data), "\n  \"of\": {\n    \"<0>\": 0,\n") {
		t.Errorf("%s, %v", data, err)
	}
	for text, want := range map[string]string{
		`{"version": 1}`:             "",
		`{"version": 3}`:             k.Path + " was written by a newer version of Pertain: use that, or delete the file and count again",
		`{"version": 2, "other": 1}`: k.Path + " is not the JSON that `pertain count` writes: repair it, or delete it and count again",
		`{}`:                         k.Path + " is not the JSON that `pertain count` writes: repair it, or delete it and count again",
		`{"version": 2} {}`:          k.Path + " is not the JSON that `pertain count` writes: repair it, or delete it and count again",
		`[`:                          k.Path + " is not the JSON that `pertain count` writes: repair it, or delete it and count again",
		strings.Repeat(" ", 2<<10):   "large",
	} {
		if err := os.WriteFile(k.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		message := ""
		if _, err := k.Read(); err != nil {
			message = err.Error()
		}
		changed := ""
		if err := k.Change(t.Context(), func(*counts) bool { return true }); err != nil {
			changed = err.Error()
		}
		if message != changed || (message == "") != (want == "") || !strings.Contains(message, want) {
			t.Errorf("%.20q: %q, %q", text, message, changed)
		}
		left, _ := os.ReadFile(k.Path)
		if want != "" && string(left) != text {
			t.Errorf("%.20q was overwritten: %s", text, left)
		}
		if want == "" && string(left) != "{\n  \"version\": 2\n}\n" {
			t.Errorf("%.20q became %s", text, left)
		}
	}
}

// TestJSONFileUnchanged: what does not change is not written, not even in another version.
func TestJSONFileUnchanged(t *testing.T) {
	k := writing.JSONFile[counts]{Path: filepath.Join(t.TempDir(), "counts.json"), Limit: 1 << 10, Newest: 2, Version: func(c *counts) *int { return &c.Version }}
	if err := k.Change(t.Context(), func(*counts) bool { return false }); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(k.Path); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
}

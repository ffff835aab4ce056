package writing_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := put(t, "old", dir, "a.md")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"", "ol", "older", "new"} {
		if err := own(t, path).Replace([]byte(before), []byte("new")); !errors.Is(err, writing.ErrChanged) {
			t.Errorf("%q: %v", before, err)
		}
		if err := own(t, path).RemoveOnly([]byte(before)); !errors.Is(err, writing.ErrChanged) {
			t.Errorf("%q: %v", before, err)
		}
	}
	if err := own(t, path).Replace([]byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	info, err := os.Stat(path)
	if err != nil || string(data) != "new" || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("%q %v %v", data, info.Mode(), err)
	}
	if err := own(t, path).RemoveOnly([]byte("new")); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("there is %v", got)
	}
	if err := own(t, path).Replace([]byte("new"), []byte("x")); !errors.Is(err, writing.ErrChanged) {
		t.Errorf("a file that is gone: %v", err)
	}
	if err := own(t, path).RemoveOnly([]byte("new")); !errors.Is(err, writing.ErrChanged) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// TestReplaceWhileSomebodyWrites: a line that a person adds at any moment is in the file afterwards, or the file was removed before
// the person came.
func TestReplaceWhileSomebodyWrites(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("files cannot be exchanged here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	for round := range 400 {
		put(t, "old\n", dir, "a.md")
		var group sync.WaitGroup
		added := false
		start := make(chan bool)
		group.Go(func() {
			<-start
			for range round * 40 {
				runtime.Gosched()
			}
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return
			}
			for range round % 7 {
				runtime.Gosched()
			}
			_, err = f.WriteString("PERSON\n")
			added = err == nil && f.Close() == nil
		})
		var err error
		close(start)
		if round%2 == 0 {
			err = own(t, path).Replace([]byte("old\n"), []byte("new\n"))
		} else {
			err = own(t, path).RemoveOnly([]byte("old\n"))
		}
		group.Wait()
		if err != nil && !errors.Is(err, writing.ErrChanged) {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(path); added && !strings.Contains(string(data), "PERSON") {
			t.Fatalf("round %d: the line is lost; there is %q, and %v was told", round, data, err)
		}
		_ = os.Remove(path)
	}
	if got := names(t, dir); !slices.Equal(got, nil) {
		t.Errorf("there is %v", got)
	}
}

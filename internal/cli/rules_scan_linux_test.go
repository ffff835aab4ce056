package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestScanNeverWaits: what appears in the place of a file is not waited for, whatever it is.
func TestScanNeverWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, writers := range []int{0, 1} {
		if writers > 0 {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
		_, _, ok, err := (&scanWorker{}).load(scanPath{name: path, bounds: files.Anywhere().WithPseudo()})
		if ok || err != nil {
			t.Errorf("%d writers: %v, %v", writers, ok, err)
		}
	}
}

// TestScanReadsWhatHasNoSize: a file of the kernel says that it has no bytes. It is read where the user named it, and nowhere else.
func TestScanReadsWhatHasNoSize(t *testing.T) {
	want, err := os.ReadFile("/proc/self/maps")
	if err != nil || len(want) < 1000 {
		t.Skip("there is no /proc/self/maps")
	}
	w := &scanWorker{buffer: make([]byte, 10)}
	text, _, ok, err := w.load(scanPath{name: "/proc/self/maps", bounds: files.Anywhere().WithPseudo()})
	if !ok || err != nil || len(text) < len(want)/2 {
		t.Errorf("%d bytes of %d, %v", len(text), len(want), err)
	}
	if text, _, ok, err := w.load(scanPath{name: "/proc/self/maps", bounds: files.Anywhere()}); ok {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestScanOpensWhatItFound: a file, or a folder on the way to it, that became a link after the walk came by is not followed,
// neither out of the folder nor to another place in it.
func TestScanOpensWhatItFound(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string) {
		t.Helper()
		path := filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("text"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"in/a", "in/b", "in/c/d", "in/same", "in/.git/HEAD", "out/a", "out/d"} {
		put(name)
	}
	s := &scanner{app: &app{call: Invocation{Dir: filepath.Join(top, "in"), Env: func(string) string { return "" }}}}
	paths := make(chan []scanPath, 1)
	if err := s.walk(t.Context(), []string{filepath.Join(top, "in")}, paths); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"in/a": "../out/a", "in/b": ".git/HEAD", "in/c": "../out"} {
		path := filepath.Join(top, name)
		if err := errors.Join(os.RemoveAll(path), os.Symlink(target, path)); err != nil {
			t.Fatal(err)
		}
	}
	read := ""
	for _, path := range <-paths {
		_, _, ok, err := (&scanWorker{}).load(path)
		if ok {
			read += filepath.Base(path.name)
		} else if !errors.Is(err, errBecameLink) {
			t.Errorf("%s: %v", path.name, err)
		}
	}
	if read != "same" {
		t.Errorf("read %s", read)
	}
}

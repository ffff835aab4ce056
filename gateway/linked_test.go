package gateway_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestLinkedFile: a call that writes through a link of the workspace is judged by the file that it leads to, too.
func TestLinkedFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "src", "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("src", filepath.Join(dir, "lnk")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := os.Symlink("src/in", filepath.Join(dir, "deep")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	for path, name := range map[string]string{"~/src/a.md": "src/a.md", "lnk/a.md": "lnk/a.md", "deep/../a.md": "a.md", "loop/../a.md": "a.md"} { // of the last, nobody knows
		t.Run(path, func(t *testing.T) { testLinked(t, dir, path, name, false) })
	}
}

// TestOwnRepository: globs of the user's own rules count from the repository of a file, too.
func TestOwnRepository(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "app", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	testLinked(t, dir, "app/src/a.md", "app/src/a.md", true)
}

func testLinked(t *testing.T, dir, path, name string, own bool) {
	narrow := fire
	narrow.Own = own
	narrow.Globs = []string{"src/**"}
	call := modeltest.Call{Name: "write", Arguments: `{"path":"` + path + `","content":"begin ` + violation + ` end"}`}
	w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Text: "Better."}
		}
		return modeltest.Answer{Calls: []modeltest.Call{call}, Piece: 3}
	})
	space := &gateway.Workspace{Dir: dir, Home: dir, Triggers: set(t, narrow)}
	w.options.Workspace = func(string) *gateway.Workspace { return space }
	w.start()
	r := w.ask(modeltest.Messages, true, ">hello")
	if r.hasViolation() || len(r.calls) > 0 || !strings.Contains(r.raw, "Better.") {
		t.Errorf("%q", r.raw)
	}
	same(t, "journal", w.journal.told(), []string{"interrupted no-cyrillic " + name + " heeded=true"})
}

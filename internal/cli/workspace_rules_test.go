package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestRulesAreShared: all questions of a server share one rulebook as long as nothing of it has changed, those of several
// workspaces and at the same time too; and whatever changes, the rules are those that are on disk.
func TestRulesAreShared(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not tell enough of a change, and nothing is kept")
	}
	dir, home := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	put(filepath.Join(dir, "AGENTS.md"), "First.\n")
	put(filepath.Join(dir, ".cursor", "rules", "a.mdc"), "---\nglobs: '**/*.{go,ts}'\n---\nA.\n")
	a := &app{noBuiltin: true, call: Invocation{Dir: dir, Env: func(name string) string { return map[string]string{"HOME": home}[name] }}}
	shared := &server{logger: serverLogger(io.Discard, false)}
	var spaces [2]*workspace
	for i := range spaces {
		w, err := a.openWorkspace(t.Context(), dir, shared)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		spaces[i] = w
	}
	ask := func(w *workspace, files ...string) *pertain.Rulebook {
		for i := range files {
			files[i] = filepath.Join(dir, files[i])
		}
		book, err := w.Rules(t.Context(), pertain.RuleOptions{Files: files})
		if err != nil {
			t.Error(err)
		}
		return book
	}
	// What was changed a moment ago is not kept, since another change might not show.
	settle := func(file string) *pertain.Rulebook {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			if book := ask(spaces[0], file); book == ask(spaces[0], file) {
				return book
			}
		}
		t.Fatal("nothing is kept")
		return nil
	}
	book := settle("AGENTS.md")
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if got := ask(spaces[i%2], fmt.Sprintf("new%d.go", i), fmt.Sprintf("none%d/x.go", i)); got != book {
				t.Error("a question has a rulebook of its own")
			}
		})
	}
	all.Wait()

	has := func(want string) {
		t.Helper()
		found := ""
		for _, r := range ask(spaces[1], "AGENTS.md").Rules() {
			found += r.Name + ": " + r.Text() + ". "
		}
		if found != want {
			t.Errorf("%s\nwant %s", found, want)
		}
	}
	has("a: A.. AGENTS: First.. ")
	info, err := os.Stat(filepath.Join(dir, "AGENTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	put(filepath.Join(dir, "AGENTS.md"), "Other.\n") // as long, and of the same time
	if err := os.Chtimes(filepath.Join(dir, "AGENTS.md"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	has("a: A.. AGENTS: Other.. ")
	settle("AGENTS.md")
	put(filepath.Join(home, ".omp", "agent", "rules", "own.md"), "Own.\n")
	has("own: Own.. a: A.. AGENTS: Other.. ")
	settle("AGENTS.md")
	if err := os.Remove(filepath.Join(dir, ".cursor", "rules", "a.mdc")); err != nil {
		t.Fatal(err)
	}
	has("own: Own.. AGENTS: Other.. ")

	book = settle("sub/x.go")
	put(filepath.Join(dir, "sub", "AGENTS.md"), "Below.\n") // in a folder that was not there
	if got := ask(spaces[0], "sub/x.go"); got == book || len(got.Rules()) != len(book.Rules())+1 {
		t.Error("a new folder does not count")
	}
	book = settle("x.go")
	if _, _, err := (settings.Trust{Path: a.paths().Trust}).Add(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if r := ask(spaces[0], "x.go"); r == book {
		t.Error("trust does not count")
	}
}

// TestKeptRulesAreBounded: no more rulebooks are kept than there are places, the last ones; and who waits for one that is being
// read can give up.
func TestKeptRulesAreBounded(t *testing.T) {
	var kept keptRules
	for i := range 3 * maxKeptRules {
		kept.of(fmt.Sprint(i))
		kept.of("often")
	}
	if len(kept.books) != maxKeptRules || kept.books[0].key != "often" || kept.books[1].key != fmt.Sprint(3*maxKeptRules-1) {
		t.Errorf("%d are kept", len(kept.books))
	}
	dir := t.TempDir()
	_, err := kept.open(t.Context(), dir, pertain.RuleOptions{}, func(context.Context) (*pertain.Rulebook, error) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, err := kept.open(ctx, dir, pertain.RuleOptions{}, nil)
		return nil, err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

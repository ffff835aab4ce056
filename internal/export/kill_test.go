package export

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/mark"
)

// killAt is the environment variable that makes a test a process that exports and is killed on the way.
const killAt = "PERTAIN_TEST_EXPORT_KILL"

// dying is a context that kills the process when it is asked for the n-th time: it is asked before each step.
type dying struct {
	context.Context
	left *int
}

func (d dying) Err() error {
	if *d.left--; *d.left < 0 {
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
		time.Sleep(time.Minute) // it does not come back
	}
	return d.Context.Err()
}

// TestExportUntilKilled is not a test but the process of the next one.
func TestExportUntilKilled(t *testing.T) {
	root, n, ok := strings.Cut(os.Getenv(killAt), "|")
	left, err := strconv.Atoi(n)
	if !ok || err != nil {
		t.Skip("it is for TestExportAfterKill")
	}
	ctx := dying{t.Context(), &left}
	folders := Folders{Root: root, Home: filepath.Join(root, "..", "home")}
	forms, err := CheckTargets([]string{"claude", "cursor", "codex"}, false)
	if err != nil {
		t.Fatal(err)
	}
	rules, _, err := Load(t.Context(), folders, Source{Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(t.Context(), folders, rules, forms, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Do(ctx, Run{Prune: true}); err != nil {
		t.Fatal(err)
	}
	fmt.Println("all is written")
}

// TestExportAfterKill: wherever a process is killed, each file is as it was or as it shall be, and the next run ends the work.
func TestExportAfterKill(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes")
	}
	write := func(w *world, version string) {
		for i := range 4 {
			w.write(fmt.Sprintf(".pertain/rules/r%d.md", i), always+version+" of "+strconv.Itoa(i)+"\n")
		}
	}
	kills := 0
	for n := 0; ; n++ {
		w := newWorld(t, map[string]string{"AGENTS.md": "mine\n" + mark.Begin + "\n" + mark.End + "\n", ".claude/rules/mine.md": "mine"})
		write(w, "old")
		w.write(".pertain/rules/gone.md", always+"gone\n")
		w.export(Run{}, Source{}, "claude", "cursor", "codex")
		write(w, "new")
		if err := os.Remove(w.path(".pertain/rules/gone.md")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestExportUntilKilled$")
		cmd.Env = append(os.Environ(), killAt+"="+w.folders.Root+"|"+strconv.Itoa(n))
		out, _ := cmd.CombinedOutput() // killed
		done := strings.Contains(string(out), "all is written")
		if !done {
			kills++
		}
		whole(t, w, n)
		w.export(Run{Prune: true}, Source{}, "claude", "cursor", "codex")
		for name, f := range w.export(Run{Prune: true}, Source{}, "claude", "cursor", "codex") {
			if f.Change != Unchanged {
				t.Errorf("kill %d: after another run %s is %s: %s", n, name, f.Change, f.Why)
			}
		}
		if _, err := os.Stat(w.path(".claude/rules/gone.md")); err == nil {
			t.Errorf("kill %d: what is no longer needed is still there", n)
		}
		if done || t.Failed() {
			break
		}
	}
	if kills < 10 {
		t.Errorf("only %d kills", kills)
	}
	t.Logf("killed at %d steps", kills)
}

// whole checks that every file is one of its two states, and that nothing else was touched.
func whole(t *testing.T, w *world, n int) {
	t.Helper()
	if w.read(".claude/rules/mine.md") != "mine" || !strings.HasPrefix(w.read("AGENTS.md"), "mine\n") {
		t.Fatalf("kill %d: a line was lost", n)
	}
	if s, ok, err := mark.FindSection(w.read("AGENTS.md")); !ok || err != nil || !s.Intact {
		t.Errorf("kill %d: the section is %+v, %v", n, s, err)
	}
	for _, folder := range []string{".claude/rules", ".cursor/rules"} {
		err := filepath.WalkDir(w.path(folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "mine.md" || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			data, err := os.ReadFile(path)
			if m, ok := mark.Find(string(data)); !ok || !m.Intact {
				t.Errorf("kill %d: %s is %q", n, path, data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

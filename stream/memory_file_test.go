package stream_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/stream/memorytest"
)

func TestFileMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "conversations", "one.json")
	memorytest.Run(t, func(t *testing.T) stream.Memory {
		m, err := stream.OpenFileMemory(path)
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

// saver is the environment variable that makes a test a process that saves until it
// is killed.
const saver = "PERTAIN_TEST_SAVES"

// TestFileMemorySaves is not a test but the process of the next one.
func TestFileMemorySaves(t *testing.T) {
	path := os.Getenv(saver)
	if path == "" {
		t.Skip("it is for TestFileMemoryAfterKill")
	}
	m, err := stream.OpenFileMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	last, err := m.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n := last.Turn + 1; ; n++ {
		if err := m.Save(t.Context(), recordOf(n)); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("saved %d\n", n)
	}
}

// recordOf gives a record of some ten kilobytes whose parts all say the same.
func recordOf(n int64) stream.Record {
	r := stream.Record{Turn: n, Injected: make(map[string]int64), Interrupted: int(n)}
	for i := range 300 {
		r.Injected[fmt.Sprintf("a rule with the number %d", i)] = n
	}
	return r
}

// TestFileMemoryAfterKill: when a process is killed while it saves, the next one
// finds a whole record, not older than the last one that was said to be saved.
func TestFileMemoryAfterKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.json")
	m, err := stream.OpenFileMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 6 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFileMemorySaves$")
		cmd.Env = append(os.Environ(), saver+"="+path)
		output, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := int64(0)
		lines := bufio.NewScanner(output)
		for saves := 0; lines.Scan(); {
			if _, err := fmt.Sscanf(lines.Text(), "saved %d", &said); err != nil {
				t.Fatalf("the process says %s", lines.Text())
			}
			if saves++; saves == 3+round { // and go on reading what it said before it died
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait() // killed
		got, err := m.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if said == 0 || got.Turn != said && got.Turn != said+1 || !reflect.DeepEqual(got, recordOf(got.Turn)) {
			t.Fatalf("%d was saved, turn %d with %d rules and %d interruptions is there", said, got.Turn, len(got.Injected), got.Interrupted)
		}
	}
	// What the dead have left does not disturb the living, and goes.
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), ".pertain-0123456776305654.tmp"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err = stream.OpenFileMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(t.Context(), recordOf(1)); err != nil {
		t.Fatal(err)
	}
	if got, err := m.Load(t.Context()); err != nil || got.Turn != 1 {
		t.Errorf("turn %d, %v", got.Turn, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestFileMemoryCannotSave: when the new record cannot be written, that is told and
// the old one stays.
func TestFileMemoryCannotSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "one.json")
	m, err := stream.OpenFileMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(t.Context(), recordOf(4)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(t.Context(), recordOf(5)); err == nil {
		t.Error("no error without a folder")
	}
	if err := os.Rename(filepath.Join(dir, "gone"), filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	if got, err := m.Load(t.Context()); err != nil || !reflect.DeepEqual(got, recordOf(4)) {
		t.Errorf("turn %d, %v", got.Turn, err)
	}
}

func TestFileMemoryRefuses(t *testing.T) {
	for _, text := range []string{"{", "null", "0", "[]", `{"version":2,"turn":1}`, `{"turn":1}`} {
		path := filepath.Join(t.TempDir(), "one.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, _ := stream.OpenFileMemory(path)
		if _, err := m.Load(context.Background()); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	if _, err := stream.OpenFileMemory(""); err == nil {
		t.Error("no error without a name")
	}
}

// TestFileMemoryEmpty: a file that somebody made, and in which nothing was written yet,
// is a new conversation.
func TestFileMemoryEmpty(t *testing.T) {
	for _, text := range []string{"", "\n", " \r\n"} {
		path := filepath.Join(t.TempDir(), "one.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, _ := stream.OpenFileMemory(path)
		if got, err := m.Load(context.Background()); err != nil || !reflect.DeepEqual(got, stream.Record{}) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// TestFileMemoryLink: a memory behind a link, which leads nowhere yet, is kept where the
// link leads.
func TestFileMemoryLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "one.json"), filepath.Join(dir, "link.json")
	if err := os.Symlink("one.json", link); err != nil {
		t.Skip(err)
	}
	m, err := stream.OpenFileMemory(link)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(t.Context(), recordOf(3)); err != nil {
		t.Fatal(err)
	}
	other, _ := stream.OpenFileMemory(path)
	if got, err := other.Load(t.Context()); err != nil || got.Turn != 3 {
		t.Errorf("turn %d, %v", got.Turn, err)
	}
	if _, err := os.Stat(path + ".lock"); err != nil {
		t.Errorf("the lock is elsewhere: %v", err)
	}
}

// TestWatcherSurvivesRestart: what was injected is not injected again by the next
// process.
func TestWatcherSurvivesRestart(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "one.json")
	set, _ := stream.Compile([]stream.Trigger{{Name: "no-unwrap", Patterns: []string{`\.unwrap\(\)`}}}, stream.Options{})
	for i, want := range []bool{true, false, false} {
		m, err := stream.OpenFileMemory(path)
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
		if err := w.Injected(ctx, v); err != nil {
			t.Error(err)
		}
	}
	if text, _ := os.ReadFile(path); string(text) != "{\"version\":1,\"turn\":2,\"injected\":{\"no-unwrap\":1}}\n" { // the second gave the budget back
		t.Errorf("the file is %s", text)
	}
}

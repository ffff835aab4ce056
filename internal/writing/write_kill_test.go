package writing_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

// writer is the environment variable that makes a test a process that writes until it is
// killed.
const writer = "PERTAIN_TEST_WRITES"

// TestWritesUntilKilled is not a test but the process of the next one.
func TestWritesUntilKilled(t *testing.T) {
	path := os.Getenv(writer)
	if path == "" {
		t.Skip("it is for TestWriteAfterKill")
	}
	for n := 0; ; n++ {
		if err := own(t, path).Write(content(n), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Println("written")
	}
}

// content is a megabyte that is the same all over.
func content(n int) []byte { return bytes.Repeat([]byte{'a' + byte(n%26)}, 1<<20) }

func whole(data []byte) bool {
	return len(data) == 1<<20 && bytes.Count(data, data[:1]) == len(data)
}

// TestWriteAfterKill: what a process that is killed while it writes leaves is a whole file, and
// the next write removes the rest.
func TestWriteAfterKill(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	left := 0
	for round := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWritesUntilKilled$")
		cmd.Env = append(os.Environ(), writer+"="+path)
		output, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(output)
		for n := 0; lines.Scan(); n++ {
			if n == round {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait() // killed
		if data, err := os.ReadFile(path); err != nil || !whole(data) {
			t.Fatalf("round %d: %d bytes, %v", round, len(data), err)
		}
		left = max(left, len(names(t, dir))-1)
		if left > 1 {
			t.Errorf("round %d: there is %v", round, names(t, dir))
		}
	}
	t.Logf("at most %d temporary files were left", left)
	if err := own(t, path).Write(content(0), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); runtime.GOOS != "windows" && !slices.Equal(got, []string{"a.json"}) {
		t.Errorf("there is %v", got)
	}
}

// TestWritersAtOnce: nobody takes what another is writing for a leftover.
func TestWritersAtOnce(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			target, err := writing.OwnTarget(filepath.Join(dir, fmt.Sprint(i, ".json")))
			for n := 0; n < 25 && err == nil; n++ {
				err = target.Write([]byte(fmt.Sprint(n)), 0o600)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := names(t, dir); len(got) != 8 {
		t.Errorf("there is %v", got)
	}
}

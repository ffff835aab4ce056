package discover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestReadingLeavesTheProcessAsItWas: files are closed when they are read, not when somebody collects
// them, and how much the process does at once is nobody's to change here.
func TestReadingLeavesTheProcessAsItWas(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, ".claude", "rules")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	const count = 50
	for i := range count {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("r%02d.md", i)), []byte(fmt.Sprintf("Rule %d.\n", i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	load := func() int {
		set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: dir, Home: filepath.Join(dir, "home")}), rule.Options{Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		return len(set.All())
	}
	load() // what is opened once for all stays open
	before := open()
	if n := load(); n != count {
		t.Fatalf("%d rules", n)
	}
	if after := open(); after > before+count/5 { // other tests may open some meanwhile
		t.Errorf("%d files are open, %d were before", after, before)
	}
	if n := runtime.GOMAXPROCS(0); n != 2 {
		t.Errorf("%d threads run at once", n)
	}
}

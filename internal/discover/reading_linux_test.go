package discover_test

import (
	"errors"
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
	folder := filepath.Join(dir, "w", ".claude", "rules")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	const count = 50
	for i := range count {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("r%02d.md", i)), []byte(fmt.Sprintf("Rule %d.\n", i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range count { // links that are followed, and others that are not
		for target, link := range map[string]string{"text%d.md": ".cursor/rules/l%02d.mdc", "data%d.json": ".clinerules/l%02d.md"} {
			target, link = filepath.Join(dir, "home", fmt.Sprintf(target, i)), filepath.Join(dir, "w", fmt.Sprintf(link, i))
			if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.MkdirAll(filepath.Dir(link), 0o755), os.WriteFile(target, []byte("Text."), 0o600), os.Symlink(target, link)); err != nil {
				t.Fatal(err)
			}
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
		set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: filepath.Join(dir, "w"), Home: filepath.Join(dir, "home")}), rule.Options{Root: filepath.Join(dir, "w")})
		if err != nil {
			t.Fatal(err)
		}
		return len(set.All())
	}
	load() // what is opened once for all stays open
	before := open()
	if n := load(); n != 2*count {
		t.Fatalf("%d rules", n)
	}
	if after := open(); after > before+count/5 { // other tests may open some meanwhile
		t.Errorf("%d files are open, %d were before", after, before)
	}
	if n := runtime.GOMAXPROCS(0); n != 2 {
		t.Errorf("%d threads run at once", n)
	}
}

//go:build unix

package strategyfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestStrategiesThatAreNoFiles: links in a circle, and what is no regular file, have the
// code of a link that leads to nothing, in a workspace and among the user's own.
func TestStrategiesThatAreNoFiles(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, ".pertain", "strategies")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, leads := range map[string]string{
		"a": "b.strategy.md", "b": "a.strategy.md", "gone": "none", "device": "/dev/zero",
	} {
		if err := os.Symlink(leads, filepath.Join(dir, name+".strategy.md")); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(dir, "pipe.strategy.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	for where, roots := range map[string]strategyfile.Roots{
		"user": {User: []string{dir}}, "workspace": {Workspace: root},
	} {
		found := 0
		for _, provider := range strategyfile.Providers(files.OS(), roots) {
			entries, err := provider.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				code := e.Code
				if e.Problem == "" {
					_, err := provider.Read(t.Context(), e)
					if err == nil {
						t.Errorf("%s: %s was read", where, e.Name)
					}
					code = strategyfile.ProblemCode(err)
				}
				found++
				outside := where == "workspace" && filepath.Base(e.Name) == "device.strategy.md"
				if code != diag.StrategyInvalidFrom && (!outside || code != diag.RuleOutsideWorkspace) {
					t.Errorf("%s: %s has the code %q (%s)", where, e.Name, code, e.Problem)
				}
			}
		}
		if found != 5 {
			t.Errorf("%s: %d strategies are listed", where, found)
		}
	}
}

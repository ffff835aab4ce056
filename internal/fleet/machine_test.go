package fleet_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/fleet"
)

// TestMachine: a state folder has one name, whoever asks first; one that came from another machine, or is damaged, gets another.
func TestMachine(t *testing.T) {
	state := t.TempDir()
	names := make([]string, 8)
	var all sync.WaitGroup
	for i := range names {
		all.Go(func() {
			var err error
			if names[i], err = fleet.Machine(t.Context(), state); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, name := range names {
		if name != names[0] || len(name) != 16 {
			t.Errorf("%q", names)
		}
	}
	path := filepath.Join(state, "fleet", "machine")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	if host != "" && strings.Contains(string(text), host) {
		t.Error("the file names the machine")
	}
	for _, other := range []string{names[0] + " 0123456789abcdef\n", names[0], "", "../../etc " + strings.Fields(string(text))[1]} {
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		if name, err := fleet.Machine(t.Context(), state); err != nil || name == names[0] || len(name) != 16 {
			t.Errorf("with %q: %q, %v", other, name, err)
		}
	}
	if _, err := fleet.Machine(t.Context(), ""); err == nil {
		t.Error("a name without a folder")
	}
}

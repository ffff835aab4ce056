package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestCodexCountsBytes: of one file and of several, the limit is 32 KiB.
func TestCodexCountsBytes(t *testing.T) {
	for _, test := range []struct {
		name  string
		texts map[string]string
		want  int
	}{
		{"fits", map[string]string{"/w/AGENTS.md": strings.Repeat("é", 16<<10)}, 0},
		{"one file", map[string]string{"/w/AGENTS.md": strings.Repeat("é", 20_000)}, 1},
		{"two files", map[string]string{"/w/AGENTS.md": strings.Repeat("é", 10_000), "/w/p/AGENTS.md": strings.Repeat("é", 10_000), "/w/.git/HEAD": ""}, 1},
	} {
		w := newWorld(files.Unix, test.texts)
		roots := w.roots("/w")
		roots.Folders = []string{"/w/p"}
		set, err := rule.Load(t.Context(), discover.Rules(w.tree, roots), rule.Options{Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range set.Warnings() {
			if d.Code == diag.RuleTooLarge && strings.Contains(d.Message, " bytes") {
				n++
			}
		}
		if n != test.want {
			t.Errorf("%s: %v", test.name, set.Warnings())
		}
	}
}

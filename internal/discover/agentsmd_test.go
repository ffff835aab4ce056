package discover_test

import (
	"fmt"
	"path"
	"slices"
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

// TestCodexChain: the files of the folders above one are counted, not those of folders whose names begin alike, and for many folders beside each
// other each is looked at once. What is allocated counts the steps.
func TestCodexChain(t *testing.T) {
	load := func(texts map[string]string) (warned []string, allocations float64) {
		w := newWorld(files.Unix, texts)
		roots := w.roots("/w")
		for name := range texts {
			if folder := path.Dir(name); folder != "/w" && path.Base(name) == "AGENTS.md" {
				roots.Folders = append(roots.Folders, folder)
			}
		}
		slices.Sort(roots.Folders)
		allocations = testing.AllocsPerRun(1, func() {
			warned = nil
			set, err := rule.Load(t.Context(), discover.Rules(w.tree, roots), rule.Options{Root: "/w"})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range set.Warnings() {
				if d.Code == diag.RuleTooLarge && strings.Contains(d.Message, "folders above") {
					warned = append(warned, d.Source.Name())
				}
			}
		})
		return warned, allocations
	}
	large := strings.Repeat("a", 12<<10)
	got, _ := load(map[string]string{"/w/.git/HEAD": "", "/w/AGENTS.md": large, "/w/p/AGENTS.md": large, "/w/p-q/AGENTS.md": large, "/w/pq/AGENTS.md": large, "/w/p/q/r/AGENTS.md": large})
	if want := []string{"/w/p/q/r/AGENTS.md"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	beside := func(count int) float64 {
		texts := map[string]string{"/w/.git/HEAD": ""}
		for i := range count {
			texts[fmt.Sprintf("/w/%s%d/AGENTS.md", strings.Repeat("p", 60), i)] = "text\n"
		}
		_, n := load(texts)
		return n
	}
	if few, many := beside(100), beside(800); many > 10*few {
		t.Errorf("100 folders take %v allocations, 800 take %v", few, many)
	}
}

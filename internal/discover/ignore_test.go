package discover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestIgnore walks one tree with different .gitignore files; the expectations
// were compared with `git ls-files --others --exclude-standard`.
func TestIgnore(t *testing.T) {
	all := []string{"a.log", "build/x.txt", "doc/build", "doc/a.txt", "doc/deep/a.txt", "keep.log", "src/a.log", "src/{x}.txt", "z ", "#hash"}
	tests := []struct {
		ignore  string
		ignored []string
	}{
		{"", nil},
		{"# comment\n\n", nil},
		{"*.log\n", []string{"a.log", "keep.log", "src/a.log"}},
		{"*.log\n!keep.log\n", []string{"a.log", "src/a.log"}},
		{"/*.log\n", []string{"a.log", "keep.log"}},
		{"build\n", []string{"build/x.txt", "doc/build"}},
		{"build/\n", []string{"build/x.txt"}},
		{"/build\n", []string{"build/x.txt"}},
		{"doc/a.txt\n", []string{"doc/a.txt"}},
		{"a.txt\n", []string{"doc/a.txt", "doc/deep/a.txt"}},
		{"doc/**/a.txt\n", []string{"doc/a.txt", "doc/deep/a.txt"}},
		{"**/deep\n", []string{"doc/deep/a.txt"}},
		{"doc/*\n!doc/deep\n", []string{"doc/a.txt", "doc/build"}},
		{"doc/\n!doc/a.txt\n", []string{"doc/a.txt", "doc/build", "doc/deep/a.txt"}},
		{"{x}.txt\n", []string{"src/{x}.txt"}},
		{"z\\ \n", []string{"z "}},
		{"z \n", nil},
		{"\\#hash\n", []string{"#hash"}},
		{"src/[a-c].log\n", []string{"src/a.log"}},
	}
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		for _, test := range tests {
			w := newWorld(flavor, map[string]string{"/w/.gitignore": test.ignore})
			for _, name := range all {
				w.tree.WriteFile(w.path("/w/"+name), "")
			}
			seen := map[string]bool{}
			err := discover.WalkProject(t.Context(), w.tree, w.path("/w"), func(step files.Step) error {
				seen[step.Rel] = true
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, name := range all {
				if !seen[name] {
					got = append(got, name)
				}
			}
			slices.Sort(got)
			slices.Sort(test.ignored)
			if diff := cmp.Diff(test.ignored, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", strings.ReplaceAll(test.ignore, "\n", "⏎"), diff)
			}
		}
	})
}

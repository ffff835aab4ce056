package gitignore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
)

// TestSharedExclude: .git/info/exclude counts also where .git is a file, as in a
// work tree and in a submodule.
func TestSharedExclude(t *testing.T) {
	tests := map[string]map[string]string{
		"repository":         {"/w/.git/info/exclude": "a.txt"},
		"work tree":          {"/w/.git": "gitdir: /main/.git/worktrees/w\n", "/main/.git/worktrees/w/commondir": "../..\n", "/main/.git/info/exclude": "a.txt"},
		"relative work tree": {"/w/.git": "gitdir: ../main/.git/worktrees/w\r\n", "/main/.git/worktrees/w/commondir": "../..\r\n", "/main/.git/info/exclude": "a.txt"},
		"submodule":          {"/w/.git": "gitdir: ../main/.git/modules/w", "/main/.git/modules/w/info/exclude": "a.txt"},
		"work tree's own":    {"/w/.git": "gitdir: /main/.git/worktrees/w", "/main/.git/worktrees/w/commondir": "../..", "/main/.git/worktrees/w/info/exclude": "b.txt", "/main/.git/info/exclude": "a.txt"},
	}
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		for name, texts := range tests {
			w := newWorld(flavor, nil)
			for path, text := range texts {
				w.tree.WriteFile(w.path(path), strings.ReplaceAll(text, " /main/", " "+w.flavor.ToSlash(w.path("/main/"))))
			}
			w.tree.WriteFile(w.path("/w/a.txt"), "")
			w.tree.WriteFile(w.path("/w/b.txt"), "")
			var got []string
			err := gitignore.Walk(t.Context(), w.tree, w.path("/w"), func(step files.Step) error {
				if strings.HasSuffix(step.Rel, ".txt") {
					got = append(got, step.Rel)
				}
				return nil
			})
			if err != nil || strings.Join(got, " ") != "b.txt" {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
	})
}

// TestWalkTellsLimits: what is left out because it is too deep is visited with the
// error, unless it is ignored.
func TestWalkTellsLimits(t *testing.T) {
	deep := strings.Repeat("d/", 33)
	for ignore, want := range map[string]string{"": "levels", "d\n": ""} {
		w := newWorld(files.Unix, map[string]string{"/w/.gitignore": ignore, "/w/" + deep + "a.txt": ""})
		got := ""
		err := gitignore.Walk(t.Context(), w.tree, "/w", func(step files.Step) error {
			var limit *files.LimitError
			if errors.As(step.Err, &limit) {
				got += limit.What
			}
			return nil
		})
		if err != nil || got != want {
			t.Errorf("%q: %q, %v", ignore, got, err)
		}
	}
}

// TestIgnore walks one tree with different .gitignore files; the expectations
// were compared with `git ls-files --others --exclude-standard`.
func TestIgnore(t *testing.T) {
	all := []string{"a.log", "build/x.txt", "doc/build", "doc/a.txt", "doc/deep/a.txt", "keep.log", "src/a.log", "src/{x}.txt", "z ", "#hash", "é", "7.log"}
	tests := []struct {
		ignore  string
		ignored []string
	}{
		{"", nil},
		{"# comment\n\n", nil},
		{"*.log\n", []string{"7.log", "a.log", "keep.log", "src/a.log"}},
		{"*.log\n!keep.log\n", []string{"7.log", "a.log", "src/a.log"}},
		{"/*.log\n", []string{"7.log", "a.log", "keep.log"}},
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
		{"[[:alpha:]].log\n", []string{"a.log", "src/a.log"}},
		{"[[:digit:]]*.log\n", []string{"7.log"}},
		{"[![:digit:]].log\n", []string{"a.log", "src/a.log"}},
		{"[[:letter:]].log\n", nil},
		{"./a.log\n", nil},
		{"doc/build/**\n", nil},
		{"doc/deep/**\n", []string{"doc/deep/a.txt"}},
		{"do**/a.txt\n", []string{"doc/a.txt", "doc/deep/a.txt"}},
		{"?\n", nil},
		{"??\n", []string{"z ", "é"}}, // git counts bytes
		{"[^b]\n", nil},
		{"\ufeffa.log\n", []string{"a.log", "src/a.log"}},
		{"a.log\\\\ \n", nil},
		{"a.log\\\n", nil},
		{"[a.log\n", nil},
	}
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		for _, test := range tests {
			w := newWorld(flavor, map[string]string{"/w/.gitignore": test.ignore})
			for _, name := range all {
				w.tree.WriteFile(w.path("/w/"+name), "")
			}
			seen := map[string]bool{}
			err := gitignore.Walk(t.Context(), w.tree, w.path("/w"), func(step files.Step) error {
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

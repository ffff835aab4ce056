package discover_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// namesOnly is a disk that cannot be asked anything.
type namesOnly struct{ files.Tree }

func (namesOnly) Flavor() files.Flavor { return files.Unix }

// TestStrategyIsNoRule: that is known by the name; an editor asks for each of many documents.
func TestStrategyIsNoRule(t *testing.T) {
	for _, path := range []string{"/w/.cursor/rules/a.strategy.md", "/w/A.STRATEGY.MD", "/w/.cursor/rules/._a.mdc"} {
		if discover.ReadsAsRule(namesOnly{}, discover.RuleRoots{Dir: "/w"}, path) {
			t.Errorf("%s is a rule", path)
		}
	}
}

// TestRuleOfTheRootOfAll: a folder of rules in the root of the file system is one like any other.
func TestRuleOfTheRootOfAll(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/.clinerules/a.md": "A", "/w/.clinerules/a.md": "B", "/clinerules/a.md": "C"})
	for path, want := range map[string]string{"/.clinerules/a.md": "cline", "/w/.clinerules/a.md": "cline", "/clinerules/a.md": "native"} {
		rules, _, _, err := discover.NamedRules(t.Context(), w.tree, w.roots("/"), []string{path})
		if err != nil || len(rules) != 1 || rules[0].Provider != want {
			t.Errorf("%s: %+v %v", path, rules, err)
		}
	}
}

// TestNoNameIsNoRule: an end alone is no name.
func TestNoNameIsNoRule(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": ""})
	for path, want := range map[string]bool{
		"/w/.cursor/rules/a.mdc": true, "/w/.cursor/rules/sub/a.mdc": true, "/w/.cursor/rules/.mdc": false, "/w/.cursor/rules/sub/.mdc": false, "/w/.claude/rules/sub/.md": false,
	} {
		if got := discover.ReadsAsRule(w.tree, w.roots("/w"), path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestFoldersToNothing: a project that is not there has no folders, whatever lies above it.
func TestFoldersToNothing(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/a/x": ""})
	for root, want := range map[string][]string{"/w": {"/w/a"}, "/w/none": nil, "/none": nil} {
		if got, _ := discover.FoldersTo(w.tree, root, []string{root + "/a/b/x.md"}); !slices.Equal(got, want) {
			t.Errorf("%s: %q", root, got)
		}
	}
}

// TestMayHoldRules: of the names that come and go in a folder above the project, those count that a tool reads.
func TestMayHoldRules(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".cursorrules": true, ".cursor": true, "rules": true, "MYRULES": true, "AGENTS.md": true, "opencode.jsonc": true,
		".pertain-12345": false, "tmp.123": false, "x.log": false, "build": false,
	} {
		if got := discover.MayHoldRules(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestInstructionsBelow: GitHub's instructions in a folder below the working directory are for its files alone, and their globs count from the root.
func TestInstructionsBelow(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/w/.github/instructions/a.instructions.md": "---\napplyTo: '**'\n---\nA", "/w/sub/.github/instructions/b.instructions.md": "---\napplyTo: '**'\n---\nB",
	})
	roots := w.roots("/w")
	roots.Folders = []string{"/w/sub"}
	got := map[string]string{}
	for _, r := range w.load(t, roots).All() {
		got[r.Path] = r.Base + " " + r.Within
	}
	want := map[string]string{"/w/.github/instructions/a.instructions.md": "/w ", "/w/sub/.github/instructions/b.instructions.md": "/w /w/sub"}
	if !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCrushLoadsBoth: an agent that reads folders with all that is in them loads files of one name and several ends.
func TestCrushLoadsBoth(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.cursor/rules/a.mdc": "A", "/w/.cursor/rules/a.md": "B"})
	if got := seen(w, w.view(t, "crush", w.roots("/w"))); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

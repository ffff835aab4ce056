package export

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestImportTwice: what was imported is not imported again, also where it has the name of another tool's file.
func TestImportTwice(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "HAND\n", "sub/CLAUDE.md": "BELOW\n"})
	var first []string
	for i := range 3 {
		list, _, err := Import(t.Context(), w.folders, Source{All: true, Dir: w.folders.Root}, w.path(".pertain/rules"), false)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, f := range list {
			paths = append(paths, f.Path)
			if want := [...]Change{Created, Unchanged, Unchanged}[i]; f.Change != want {
				t.Errorf("time %d: %s is %s (%s), want %s", i+1, f.Path, f.Change, f.Why, want)
			}
		}
		if i == 0 {
			first = paths
		}
		if strings.Join(paths, "\n") != strings.Join(first, "\n") || len(paths) != 2 {
			t.Errorf("time %d: %q, the first time %q", i+1, paths, first)
		}
	}
	folders, _ := discover.FoldersTo(files.OS(), w.folders.Root, []string{w.path(".pertain/rules/AGENTS.md"), w.path("sub/x.go")})
	for _, dir := range []string{w.folders.Root, w.path(".pertain/rules")} {
		set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: dir, Folders: folders}), rule.Options{Root: w.folders.Root})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range set.All() {
			if strings.HasPrefix(r.Path, w.path(".pertain")) && r.Provider != "pertain" {
				t.Errorf("from %s: %s is read as a rule of %s", dir, r.Path, r.Provider)
			}
		}
	}
}

// TestWayBack: a file that was exported finds its source again, whatever the source is called.
func TestWayBack(t *testing.T) {
	for _, name := range []string{`x\y`, `\x`, "a, b", "a--b", "100%41", "ü ö", "-->", "~x", "a:b"} {
		t.Run(name, func(t *testing.T) {
			if strings.ContainsAny(name, `\:>`) && files.OS().Flavor() == files.Windows {
				t.Skip("no file can be called so here")
			}
			w := newWorld(t, map[string]string{".pertain/rules/" + name + ".md": "---\nalwaysApply: true\n---\n\nTEXT\n"})
			w.export(Run{}, Source{}, "codex", "claude")
			set, err := rule.Load(t.Context(), discover.Rules(files.OS(), discover.RuleRoots{Dir: w.folders.Root}), rule.Options{Root: w.folders.Root})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range set.Rules() {
				if r.Provider != "pertain" {
					t.Errorf("%s is read as a rule of %s", r.Path, r.Provider)
				}
			}
			if len(set.All()) != 3 || len(set.Warnings()) > 0 {
				t.Errorf("there are %d rules, and it is told: %v", len(set.All()), set.Warnings())
			}
		})
	}
}

// TestImportUnites: rules of one name and one text are one, and how they differed is told; a rule of another name stays one of its own,
// unless it is equal in all else.
func TestImportUnites(t *testing.T) {
	w := newWorld(t, map[string]string{
		".cursor/rules/a.mdc": "---\nglobs: \"**/*.h\"\ndescription: C headers\n---\nSAME\n",
		".cursor/rules/b.mdc": "---\nalwaysApply: true\n---\nSAME\n",
		".cursor/rules/c.mdc": "---\nglobs: \"**/*.go\"\n---\nGO\n",
		".cursor/rules/d.mdc": "---\nglobs: \"**/*.go\"\n---\nGO\n",
		".cursor/rules/e.mdc": "---\nglobs: \"**/*.py\"\n---\nPY\n",
		".claude/rules/e.md":  "---\npaths: [\"**/*.pyi\"]\n---\nPY\n",
		".pertain/rules/f.md": "OLD\n",
		".cursor/rules/f.mdc": "---\nalwaysApply: true\n---\nNEW\n",
	})
	list, _, err := Import(t.Context(), w.folders, Source{All: true, Dir: w.folders.Root}, w.path(".pertain/rules"), true)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*Imported{}
	for _, f := range list {
		got[f.Rule] = f
	}
	for name, want := range map[string]struct{ text, told string }{
		"a": {`- "**/*.h"`, ""}, "b": {"alwaysApply: true", ""}, "c": {`- "**/*.go"`, "name: `d`"}, "e": {"**/*.pyi", "globs: "},
	} {
		f := got[name]
		if f == nil || !strings.Contains(f.text, want.text) || !strings.Contains(strings.Join(f.Losses, "\n"), want.told) || want.told == "" && len(f.Losses) > 0 {
			t.Errorf("%s becomes %+v", name, f)
		}
	}
	if got["d"] != nil {
		t.Error("d is one with c, and has a file")
	}
	if f := got["f"]; f == nil || f.Change != Refused && f.Change != Skipped || !strings.Contains(f.Difference, "NEW") {
		t.Errorf("f becomes %+v", f)
	}
}

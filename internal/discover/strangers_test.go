package discover_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestStrangers: whose text a rule is, for who keeps it. Each case is about one rule, by its path; links lead from it to its text.
func TestStrangers(t *testing.T) {
	clone := map[string]string{"/w/.git/HEAD": "", "/w/evil/.git/HEAD": "", "/w/evil/AGENTS.md": "Text.", "/w/evil/docs/a.md": "Text.", "/home/u/notes.md": "Text."}
	plain := map[string]string{"/w/.git/HEAD": "", "/w/AGENTS.md": "Text.", "/w/docs/a.md": "Text.", "/home/u/notes.md": "Text."}
	loose := map[string]string{"/w/some/AGENTS.md": "Text.", "/w/some/docs/a.md": "Text.", "/w/other.md": "Text.", "/home/u/notes.md": "Text."}
	home := map[string]string{"/home/u/src/AGENTS.md": "Text.", "/home/u/notes.md": "Text.", "/home/u/AGENTS.md": "Text.", "/home/u/own/AGENTS.md": "Text.", "/home/u/own/.pertain/x": "", "/etc/a.md": "Text."}
	for _, test := range []struct {
		name      string
		tree      map[string]string
		dir, path string
		leads     string // to this text; empty: it is no link
		trusted   string // workspaces that the user trusts: of the project, of the folder that the rule lies in, or empty
		workspace string
		stray     bool
	}{
		{"a rule of the project", plain, "/w", "/w/AGENTS.md", "", "", "", false},
		{"a link of the project inside of it", plain, "/w", "/w/CLAUDE.md", "/w/docs/a.md", "", "", false},
		{"a link of the project into the home", plain, "/w", "/w/CLAUDE.md", "/home/u/notes.md", "", "", true},
		{"the same of a trusted project", plain, "/w", "/w/CLAUDE.md", "/home/u/notes.md", "project", "", false},
		{"a link of the user's own", plain, "/w", "/home/u/.claude/CLAUDE.md", "/home/u/notes.md", "", "", false},
		{"a rule of a clone", clone, "/w", "/w/evil/AGENTS.md", "", "", "/w/evil", false},
		{"a rule of a clone in a trusted project", clone, "/w", "/w/evil/AGENTS.md", "", "project", "/w/evil", false},
		{"a rule of a trusted clone", clone, "/w", "/w/evil/AGENTS.md", "", "folder", "", false},
		{"a link of a clone inside of it", clone, "/w", "/w/evil/CLAUDE.md", "/w/evil/docs/a.md", "", "/w/evil", false},
		{"a link of a clone into the home", clone, "/w", "/w/evil/CLAUDE.md", "/home/u/notes.md", "", "/w/evil", true},
		{"the same in a trusted project", clone, "/w", "/w/evil/CLAUDE.md", "/home/u/notes.md", "project", "/w/evil", true},
		{"a link of a trusted clone into the home", clone, "/w", "/w/evil/CLAUDE.md", "/home/u/notes.md", "folder", "", false},
		{"a rule of a folder in a project that is no repository", loose, "/w", "/w/some/AGENTS.md", "", "", "", false},
		{"a link of such a folder inside of it", loose, "/w", "/w/some/CLAUDE.md", "/w/some/docs/a.md", "", "", false},
		{"a link of such a folder into the home", loose, "/w", "/w/some/CLAUDE.md", "/home/u/notes.md", "", "", true},
		{"a rule of a folder in the home", home, "/home/u", "/home/u/src/AGENTS.md", "", "", "/home/u/src", false},
		{"a rule of the home itself", home, "/home/u", "/home/u/AGENTS.md", "", "", "", false},
		{"a rule of a folder in a trusted home", home, "/home/u", "/home/u/src/AGENTS.md", "", "project", "", false},
		{"a rule of a folder in the home that is no workspace, whoever trusts it", home, "/home/u", "/home/u/src/AGENTS.md", "", "folder", "/home/u/src", false},
		{"a rule of a trusted workspace in the home", home, "/home/u", "/home/u/own/AGENTS.md", "", "folder", "", false},
		{"a rule of a workspace in the home", home, "/home/u", "/home/u/own/AGENTS.md", "", "", "/home/u/own", false},
		{"a link of the user's own out of a home that is the project", home, "/home/u", "/home/u/.claude/rules/a.md", "/etc/a.md", "", "", true},
		{"the same in a trusted home", home, "/home/u", "/home/u/.claude/rules/a.md", "/etc/a.md", "project", "", false},
		{"a link of the user's own inside of such a home", home, "/home/u", "/home/u/.claude/rules/a.md", "/home/u/notes.md", "", "", false},
	} {
		w := newWorld(files.Unix, test.tree)
		if test.leads != "" {
			w.tree.Remove(test.path)
			w.tree.MakeLink(test.leads, test.path)
		}
		roots := w.roots(test.dir)
		folder := files.Unix.Dir(test.path)
		roots.Folders, roots.Trusted = []string{folder}, test.trusted == "project"
		roots.TrustsInner = func(asked string) bool { return test.trusted == "folder" && asked == folder }
		strangers := discover.NewStrangers(w.tree, roots)
		found := false
		for _, r := range w.load(t, roots).All() {
			if r.Path != test.path {
				continue
			}
			found = true
			for range 2 { // what is known of a folder stays
				if workspace, stray := strangers.Workspace(r), strangers.Stray(r); workspace != test.workspace || stray != test.stray {
					t.Errorf("%s: of %q, stray: %v", test.name, workspace, stray)
				}
			}
			r.Real = ""
			if strangers.Stray(r) {
				t.Errorf("%s: strays without a file", test.name)
			}
		}
		if !found {
			t.Errorf("%s: %s is no rule", test.name, test.path)
		}
	}
}

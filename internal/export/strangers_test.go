package export

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

// nestedWorld is a project with a folder in it that may be a clone, whose rules are one of its own and links out of it.
func nestedWorld(t *testing.T, marker string) *world {
	t.Helper()
	w := newWorld(t, nil)
	w.folders.Home = filepath.Dir(w.folders.Root) // a link may lead anywhere in it
	for name, text := range map[string]string{
		".pertain/rules/own.md": "Ours.", ".clinerules/ours.md": "Ours too.", "notes.txt": "PRIVATE-NOTES", "~/diary.txt": "PRIVATE-DIARY", "inner/.pertain/rules/a.md": "---\nalwaysApply: true\n---\nTheirs.",
		"inner/.clinerules/b.md": "Theirs too.", "inner/loose/c.md": "Loose.", "inner/docs/d.txt": "Led inside.",
	} {
		w.write(name, text)
	}
	if marker != "" {
		w.write("inner/"+marker+"/HEAD", "")
	}
	for _, folder := range []string{".pertain/rules", ".clinerules", "loose"} {
		w.link(w.path("notes.txt"), "inner/"+folder+"/n.md")
		w.link(w.path("~/diary.txt"), "inner/"+folder+"/h.md")
		w.link(w.path("inner/docs/d.txt"), "inner/"+folder+"/i.md")
	}
	return w
}

// imported is the text of what import wrote, and what it told.
func (w *world) imported(s Source) (string, diag.List) {
	w.t.Helper()
	s.Dir = w.folders.Root
	list, warnings, err := Import(w.t.Context(), w.folders, s, w.path(".pertain/rules"), false)
	if err != nil {
		w.t.Fatal(err)
	}
	text := ""
	for _, f := range list {
		data, _ := os.ReadFile(f.Path)
		text += string(data)
	}
	return text, warnings
}

// exported is the text of what export wrote for Cursor, and what it told.
func (w *world) exported(s Source) (string, diag.List) {
	w.t.Helper()
	s.Dir = w.folders.Root
	_, warnings, err := Load(w.t.Context(), w.folders, s)
	if err != nil {
		w.t.Fatal(err)
	}
	text := ""
	for _, f := range w.export(Run{}, s, "cursor") {
		data, _ := os.ReadFile(f.Path)
		text += string(data)
	}
	return text, warnings
}

// isTold tells whether it is told of a file or folder that it is somebody else's.
func (w *world) isTold(list diag.List, name string) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool {
		return d.Code == diag.RuleOutsideWorkspace && d.File() == w.path(name) && d.Hint != ""
	})
}

// TestRulesOfStrangers: what a clone inside of the project says, and what links in it lead to, becomes no file of the project, whoever
// trusts that, until the user trusts the clone, or names what is in it; then its links are judged as in the clone itself.
func TestRulesOfStrangers(t *testing.T) {
	for _, marker := range []string{".git", ".jj"} {
		for _, trusted := range []bool{false, true} {
			for _, trustIt := range []bool{false, true} {
				source := func(w *world, from ...string) Source {
					return Source{From: from, Trusted: trusted, TrustsInner: func(folder string) bool { return trustIt && folder == w.path("inner") }}
				}
				for name, run := range map[string]func(w *world) (string, diag.List){
					"export":                   func(w *world) (string, diag.List) { return w.exported(source(w)) },
					"export, from an agent":    func(w *world) (string, diag.List) { return w.exported(source(w, "cline")) },
					"export, from the project": func(w *world) (string, diag.List) { return w.exported(source(w, ".")) },
					"import":                   func(w *world) (string, diag.List) { return w.imported(source(w, "cline")) },
					"import of all": func(w *world) (string, diag.List) {
						s := source(w)
						s.All = true
						return w.imported(s)
					},
				} {
					w := nestedWorld(t, marker)
					text, list := run(w)
					if !strings.Contains(text, "Ours") || strings.Contains(text, "Theirs") != trustIt || strings.Contains(text, "Led inside") != trustIt ||
						strings.Contains(text, "PRIVATE-NOTES") != trustIt || strings.Contains(text, "PRIVATE-DIARY") != trustIt || w.isTold(list, "inner") == trustIt {
						t.Errorf("%s, %s, trusted %v, the clone %v: %q %v", marker, name, trusted, trustIt, text, list)
					}
				}
				for _, from := range []string{"inner", "inner/.pertain/rules", "inner/.clinerules", "inner/loose"} {
					w := nestedWorld(t, marker)
					text, list := w.exported(source(w, from))
					if !strings.Contains(text, "Theirs") && !strings.Contains(text, "Loose") || !strings.Contains(text, "Led inside") || w.isTold(list, "inner") ||
						strings.Contains(text, "PRIVATE") != trustIt || from != "inner" && (w.isTold(list, from+"/h.md") == trustIt || w.isTold(list, from+"/n.md") == trustIt) {
						t.Errorf("%s, from %s, trusted %v, the clone %v: %q %v", marker, from, trusted, trustIt, text, list)
					}
				}
			}
		}
	}
}

// TestLinksOfACloneElsewhere: a folder of a clone beside the project is named by the user, and where a link in it leads is not.
func TestLinksOfACloneElsewhere(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		w := newWorld(t, map[string]string{"~/diary.txt": "PRIVATE-DIARY", "~/src/clone/.git/HEAD": "", "~/src/clone/.pertain/rules/a.md": "Theirs."})
		w.link(w.path("~/diary.txt"), "~/src/clone/.pertain/rules/h.md")
		folder := w.path("~/src/clone")
		text, list := w.exported(Source{From: []string{filepath.Join(folder, ".pertain", "rules")}, Trusted: true, TrustsInner: func(f string) bool { return trusted && f == folder }})
		if !strings.Contains(text, "Theirs.") || strings.Contains(text, "PRIVATE") != trusted || w.isTold(list, "~/src/clone/.pertain/rules/h.md") == trusted {
			t.Errorf("trusted %v: %q %v", trusted, text, list)
		}
	}
}

// TestFoldersOfFolders: where the project is no repository, a folder in it is on its own: its rules are written, and not what links in it
// lead to. In the home, whose rules are for every project, they are somebody else's.
func TestFoldersOfFolders(t *testing.T) {
	for _, home := range []bool{false, true} {
		w := nestedWorld(t, "")
		if err := os.Remove(w.path(".git")); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(w.path(".pertain")); err != nil {
			t.Fatal(err)
		}
		w.write(".omp/rules/own.md", "Ours.")
		if home {
			w.folders.Home = w.folders.Root
		}
		text, list := w.exported(Source{})
		if strings.Contains(text, "PRIVATE") || strings.Contains(text, "Theirs") == home || w.isTold(list, "inner") != home || w.isTold(list, "inner/.pertain/rules/n.md") == home {
			t.Errorf("home %v: %q %v", home, text, list)
		}
		w.write("inner/.git/HEAD", "")
		s := Source{TrustsInner: func(folder string) bool { return folder == w.path("inner") }}
		if text, list := w.exported(s); !strings.Contains(text, "Theirs") || !strings.Contains(text, "PRIVATE-NOTES") || w.isTold(list, "inner") {
			t.Errorf("home %v, the clone is trusted: %q %v", home, text, list)
		}
	}
}

// TestLinkToRulesOfASubmodule: a project whose own folder of rules is a link into a repository inside of it says that these are its
// rules; where a link there leads out of that one is not its to say.
func TestLinkToRulesOfASubmodule(t *testing.T) {
	w := newWorld(t, map[string]string{"~/diary.txt": "PRIVATE-DIARY", "notes.txt": "PRIVATE-NOTES", "vendor/shared/.git": "gitdir: elsewhere", "vendor/shared/rules/a.md": "Shared."})
	w.link(w.path("~/diary.txt"), "vendor/shared/rules/h.md")
	w.link(w.path("notes.txt"), "vendor/shared/rules/n.md")
	w.link("../vendor/shared/rules", ".pertain/rules")
	text, list := w.exported(Source{Trusted: true})
	if !strings.Contains(text, "Shared.") || strings.Contains(text, "PRIVATE") || w.isTold(list, "vendor/shared") {
		t.Errorf("%q %v", text, list)
	}
}

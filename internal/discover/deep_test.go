package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// nested is a path that is so many folders deep in another.
func nested(dir string, depth int) string { return dir + strings.Repeat("/a", depth) }

// paths are those of rules.
func paths(rules []*rule.Rule) []string {
	var out []string
	for _, r := range rules {
		out = append(out, r.Path)
	}
	slices.Sort(out)
	return out
}

// tooLarge are the files of what was left out.
func tooLarge(list diag.List) []string {
	var out []string
	for _, d := range list {
		if d.Code == diag.RuleTooLarge {
			out = append(out, d.File())
		}
	}
	return out
}

// TestDeepProject: of a working directory that is very deep in its project the nearest folders and the root count, and that others
// do not is told.
func TestDeepProject(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/w/AGENTS.md": "Root.",
		nested("/w", 300) + "/AGENTS.md": "Here.", nested("/w", 237) + "/AGENTS.md": "The last.", nested("/w", 236) + "/AGENTS.md": "Too far.",
	})
	set := w.load(t, w.roots(nested("/w", 300)))
	want := []string{"/w/AGENTS.md", nested("/w", 237) + "/AGENTS.md", nested("/w", 300) + "/AGENTS.md"}
	if got := paths(set.All()); !slices.Equal(got, want) {
		t.Errorf("%d rules: %q", len(got), got)
	}
	if got := tooLarge(set.Warnings()); !slices.Equal(got, []string{nested("/w", 236)}) {
		t.Errorf("told of %q", got)
	}
	if set = w.load(t, w.roots(nested("/w", 64))); len(tooLarge(set.Warnings())) > 0 {
		t.Errorf("64 folders are too many: %v", set.Warnings())
	}
}

// TestDeepFile: the same of folders on the way to a file.
func TestDeepFile(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", nested("/w", 300) + "/x.go": ""})
	folders, list := discover.FoldersTo(w.tree, "/w", []string{nested("/w", 300) + "/x.go", nested("/w", 10) + "/y.go"})
	if len(folders) != 64+10 || folders[10] != nested("/w", 237) {
		t.Errorf("%d folders", len(folders))
	}
	if got := tooLarge(list); !slices.Equal(got, []string{nested("/w", 236)}) {
		t.Errorf("told of %q", got)
	}
}

// TestDeepAbove: whoever lays folders between what is the user's and a repository does not hide the user's rules.
func TestDeepAbove(t *testing.T) {
	root := nested("/home/me/code", 300)
	w := newWorld(files.Unix, map[string]string{root + "/.git/HEAD": "", "/home/me/code/CLAUDE.md": "Mine."})
	set := w.load(t, w.roots(root))
	if got := paths(set.All()); !slices.Contains(got, "/home/me/code/CLAUDE.md") {
		t.Errorf("%q", got)
	}
	if got := tooLarge(set.Warnings()); len(got) != 1 {
		t.Errorf("told of %q", got)
	}
}

// counted is a tree that counts what is opened.
type counted struct {
	files.Tree
	opened map[string]int
}

func (c *counted) Open(path string, bounds files.Bounds) (files.Opened, error) {
	c.opened[path]++
	return c.Tree.Open(path, bounds)
}

// TestFoldersAreListedOnce: however many tools look for rules in a folder, it is opened once, and what is not there never.
func TestFoldersAreListedOnce(t *testing.T) {
	dir := nested("/w", 20)
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", dir + "/x.go": "", dir + "/.claude/rules/a.md": "Text."})
	tree := &counted{w.tree, map[string]int{}}
	roots := w.roots(dir)
	set, err := rule.Load(t.Context(), discover.Rules(tree, roots), rule.Options{Root: "/w"})
	if err != nil || len(set.All()) != 1 {
		t.Fatal(set.All(), err)
	}
	for path, times := range tree.opened {
		if strings.HasPrefix(path, "/w/") && !strings.Contains(path, ".claude") && (times > 1 || strings.Trim(path, "/wa") != "") {
			t.Errorf("%s is opened %d times", path, times)
		}
	}
}

// TestOwnRulesAlone: of the user's own rules alone nothing of the project is read, whatever a tool looks for itself.
func TestOwnRulesAlone(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/.clinerules/x.md": "Theirs.", "/w/AGENTS.md": "Theirs.", "/w/.roorules": "Theirs.", "/w/opencode.json": `{"instructions": ["AGENTS.md"]}`})
	roots := w.roots("/w")
	roots.Own = true
	set := w.load(t, roots)
	for _, r := range set.All() {
		if r.Level != rule.User {
			t.Error(fmt.Sprint("read: ", r.Path))
		}
	}
}

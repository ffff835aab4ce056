package discover_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

// instruct is a project whose settings of OpenCode have some instructions.
func instruct(t *testing.T, patterns []string, more map[string]string) *world {
	t.Helper()
	settings, err := json.Marshal(map[string]any{"instructions": patterns})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"/w/.git/HEAD": "", "/w/opencode.json": string(settings), "/secret.md": "S.", "/home/u/x.md": "S.", "/w/one.md": "One."}
	for name, text := range more {
		all[name] = text
	}
	return newWorld(files.Unix, all)
}

// TestInstructionsOutside: what the settings of a project name outside of it is told, and not read.
func TestInstructionsOutside(t *testing.T) {
	w := instruct(t, []string{"../secret.md", "/secret.md", "~/x.md", "docs/../../secret.md", "../*.md", "one.md", "https://example.com/x.md"}, nil)
	set := w.load(t, w.roots("/w"))
	if got := names(set.All()); !slices.Equal(got, []string{"opencode:one"}) {
		t.Errorf("%v", got)
	}
	var told []string
	for _, d := range set.Warnings() {
		if d.Code == diag.RuleOutsideWorkspace {
			told = append(told, d.File())
		}
	}
	if want := []string{"/secret.md", "/home/u/x.md", "/*.md"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// TestInstructionsOfFolders: settings in a folder below are no settings of who works above, and a path may be written as the system has it.
func TestInstructionsOfFolders(t *testing.T) {
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "", "/w/sub/opencode.json": `{"instructions": ["x.md"]}`, "/w/sub/x.md": "X."})
	for dir, want := range map[string]int{"/w": 0, "/w/sub": 1} {
		roots := w.roots(dir)
		roots.Folders = []string{"/w/sub"}
		if got := names(w.load(t, roots).All()); len(got) != want {
			t.Errorf("from %s: %v", dir, got)
		}
	}
	w = newWorld(files.Windows, map[string]string{"/w/.git/HEAD": "", "/w/opencode.json": `{"instructions": ["docs\\x.md", "docs/y.md"]}`, "/w/docs/x.md": "X.", "/w/docs/y.md": "Y."})
	if got := names(w.load(t, w.roots("/w")).All()); len(got) != 2 {
		t.Errorf("on Windows: %v", got)
	}
}

// TestOutsideInstructionsCostNothing: patterns that lead out of the project are not compared with anything.
func TestOutsideInstructionsCostNothing(t *testing.T) {
	w := instruct(t, append(slices.Repeat([]string{"../" + strings.Repeat("{a,b}", 9) + "*"}, 199), "one.m[d]"), nil)
	set := w.load(t, w.roots("/w"))
	if got := names(set.All()); !slices.Equal(got, []string{"opencode:one"}) || slices.Contains(codes(set.Warnings()), string(diag.RuleTooLarge)) {
		t.Errorf("%v %v", got, codes(set.Warnings()))
	}
}

// TestManyInstructions: patterns that are too many, or too costly, are left out and told, and the folder is walked once for all.
func TestManyInstructions(t *testing.T) {
	more := map[string]string{}
	for i := range 300 {
		more[fmt.Sprintf("/w/docs/d%03d.md", i)] = fmt.Sprint("Text ", i)
	}
	costly := make([]string, 2000)
	for i := range costly {
		costly[i] = fmt.Sprintf("**/{a,b}{a,b}{a,b}{a,b}*%d*{x,y}*.md", i)
	}
	warned := func(w *world, words string) bool {
		return slices.ContainsFunc(w.load(t, w.roots("/w")).Warnings(), func(d diag.Diagnostic) bool {
			return d.Code == diag.RuleTooLarge && d.File() == "/w/opencode.json" && strings.Contains(d.Message, words)
		})
	}
	if w := instruct(t, append([]string{"one.md"}, costly...), more); !warned(w, "more than can be compared") {
		t.Error("patterns are left out without a word")
	} else if got := names(w.load(t, w.roots("/w")).All()); !slices.Equal(got, []string{"opencode:one"}) {
		t.Errorf("%v", got)
	}
	if w := instruct(t, []string{"docs/*.md"}, more); !warned(w, "more than 200 files") {
		t.Error("files are left out without a word")
	} else if got := len(w.load(t, w.roots("/w")).All()); got != 200 {
		t.Errorf("%d files", got)
	}
	if w := instruct(t, []string{"docs/d00*.md", "one.md"}, more); warned(w, "") || len(w.load(t, w.roots("/w")).All()) != 11 {
		t.Errorf("%v", names(w.load(t, w.roots("/w")).All()))
	}
}

// TestOwnInstructions: the user's own settings may name files anywhere; what is not there, or not looked for, is told.
func TestOwnInstructions(t *testing.T) {
	settings, err := json.Marshal(map[string]any{"instructions": []string{"~/notes/style.md", "/etc/team.md", "~/none.md", "/etc", "~/notes/*.md", "here.md"}})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(files.Unix, map[string]string{
		"/w/.git/HEAD": "", "/home/u/.config/opencode/opencode.json": string(settings), "/home/u/.config/opencode/here.md": "Here.",
		"/home/u/notes/style.md": "Style.", "/etc/team.md": "Team.",
	})
	set := w.load(t, w.roots("/w"))
	if got, want := names(set.All()), []string{"opencode:~/style", "opencode:~/team", "opencode:~/here"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var told []string
	for _, d := range set.Warnings() {
		told = append(told, d.File())
	}
	if want := []string{"/home/u/none.md", "/etc", "/home/u/notes/*.md"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// TestInstructionsAmongComments: the settings are JSON with comments and commas too many.
func TestInstructionsAmongComments(t *testing.T) {
	for text, want := range map[string]int{
		`{"instructions": ["one.md"]}`:                                      1,
		"// first\n{\"instructions\": [/* here */ \"one.md\", // then\n],}": 1,
		`{/**/"instructions": ["one.md"]}`:                                  1,
		`{/*/ "instructions": [], /*/"instructions": ["one.md"]}`:           1,
		`{"instructions": ["one.md" /* * / */, "\"/*.md", "//two.md"]}`:     1,
		`{"instructions": ["one.md"]} /* never closed`:                      1,
		`{"instructions": ["one.md"]}/*`:                                    1,
		`{"instructions": ["one.md"] / }`:                                   0,
		`{"instructions": /`:                                                0,
		`{"instructions": ["one.md`:                                         0,
		`{"instructions": ["one.md\`:                                        0,
	} {
		w := instruct(t, nil, map[string]string{"/w/opencode.json": text})
		if got := w.load(t, w.roots("/w")).All(); len(got) != want {
			t.Errorf("%s: %v", text, names(got))
		}
	}
}

package hook_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestCache: rules that are kept are those that would be read, whatever changes: a file's text, its mode, a new file, one above
// the project, trust, the environment.
func TestCache(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not tell enough of a change, and nothing is kept")
	}
	w := noEval(t)
	kept := func() []string {
		found, _ := filepath.Glob(filepath.Join(w.home, ".local/state/pertain/cache/*.rules"))
		return found
	}
	// What was changed a moment ago is not kept, since another change might not show.
	settle := func() {
		t.Helper()
		for _, path := range kept() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		for end := time.Now().Add(10 * time.Second); len(kept()) == 0; {
			if time.Now().After(end) {
				t.Fatal("nothing is kept")
			}
			w.write("src/a.js", "fine")
		}
	}
	gives := func(want bool, words ...string) {
		t.Helper()
		w.claude("SessionStart", fields{"source": "startup"}) // what was given begins anew
		got := w.read("src/a.ts")
		for _, word := range words {
			if strings.Contains(got, word) != want {
				t.Errorf("%q: given %v in %s", word, !want, got)
			}
		}
	}
	denies := func(content string, want bool) {
		t.Helper()
		w.claude("SessionStart", fields{"source": "startup"}) // the budget begins anew
		if got := strings.Contains(w.write("src/a.js", content), `"deny"`); got != want {
			t.Errorf("%q: denied %v", content, got)
		}
	}
	settle()
	gives(true, "strict types", ".omp/rules/types.md")
	gives(true, "strict types", ".omp/rules/types.md")
	lacks(t, w.read("src/a.ts"), "strict types") // this conversation has it
	denies(bad, true)
	denies("sleep()", false)
	has(t, w.write("src/a.js", bad), "Never use eval.", ".omp/rules/no-eval.md")

	// Another text of the same length and time.
	path := filepath.Join(w.dir, ".omp/rules/no-eval.md")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	w.file(".omp/rules/no-eval.md", "---\nttsr_trigger: evil\\(\"\n---\nNever use evil.\n")
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	denies(bad, false)
	denies("evil(\"", true)

	settle()
	w.file("src/.omp/rules/new.md", "---\nttsr_trigger: nested\n---\nNew.\n") // in a folder that was not there
	denies("nested", true)
	settle()
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\n---\nNever sleep.\n")
	denies("sleep()", true)
	settle()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	denies("evil(\"", false)
	denies("sleep()", true)
	settle()
	home := w.env["HOME"]
	w.env["HOME"] = filepath.Join(home, "other")
	w.env["XDG_STATE_HOME"] = filepath.Join(home, ".local/state")
	denies("sleep()", false)
	w.env["HOME"] = home

	// Rules for files, whatever changes: the rule, one of the agent's own with the same text.
	gives(true, "strict types")
	settle()
	gives(true, "strict types")
	w.file("src/CLAUDE.md", "Use strict types.\n")
	gives(false, "strict types")
	if err := os.Remove(filepath.Join(w.dir, "src/CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	gives(true, "strict types")
	settle()
	w.file(".omp/rules/types.md", "---\nglobs: '**/*.ts'\n---\nUse strong types.\n")
	gives(false, "strict types")
	gives(true, "strong types")
	settle()
	w.file(".omp/rules/types.md", "---\nglobs: '**/*.js'\n---\nUse strong types.\n")
	gives(false, "strong types")

	// A file that is damaged is read anew.
	settle()
	for _, text := range []string{"", "x", "\xff\xff\xff\xff\xff", "\x0fpertain rules 1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if err := os.WriteFile(kept()[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		denies("sleep()", true)
	}
}

package hook_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/hook"
)

// twiceTrigger is a trigger that is given up in a text with very many letters in a row, and tooLong one in which it would fire.
const twiceTrigger = "ttsr_trigger: '(\\w+)\\s*=\\s*\\1;'\n"

var tooLong = strings.Repeat("a", 4000) + "\nfoo = foo;"

// writing is a call that writes a file, before it is made, in a conversation of its own.
func (w *world) writing(text string, args ...string) string {
	w.t.Helper()
	calls++
	input := fields{"session_id": fmt.Sprint("u", calls), "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": fields{"file_path": "a.js", "content": text}}
	return w.event(input, append([]string{"claude"}, args...)...)
}

// TestUndecided: that nobody knows whether a rule fires is told, and with --fail-closed it is a denial.
func TestUndecided(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\n"+twiceTrigger+"---\nNever twice.\n")
	if got := w.writing(tooLong); got != nothing {
		t.Error(got)
	}
	const told = "pertain: hook: rule `mine` may have missed a match, since looking for one takes too many steps; write such a trigger without back-references, or smaller\n"
	if diff := cmp.Diff(told, w.lastErrs); diff != "" {
		t.Error(diff)
	}
	seen, err := hook.LastSeen(t.Context(), filepath.Join(w.home, ".local", "state", "pertain"))
	if err != nil || len(seen) != 1 || !strings.Contains(seen[0].Problem, "rule `mine` may have missed a match") {
		t.Errorf("%v %v", seen, err)
	}
	has(t, w.writing(tooLong, "--fail-closed"), `"deny"`, "could not check this call (rule `mine` may have missed a match")
	if got := w.claude("Stop", fields{"last_assistant_message": tooLong}); got != nothing {
		t.Error(got)
	}
	if diff := cmp.Diff(told, w.lastErrs); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"foo = foo;", "foo = bar;", strings.Repeat("a", 4000)} { // the last has nothing that the trigger needs
		has(t, w.writing(text, "--fail-closed"), "{")
		if w.lastErrs != "" {
			t.Errorf("%.20s: %s", text, w.lastErrs)
		}
	}
}

// TestUndecidedElsewhere: rules count that would be heard, had they fired.
func TestUndecidedElsewhere(t *testing.T) {
	for head, told := range map[string]bool{"globs: 'src/**'\n": false, "scope: text\n": false, "interruptMode: never\n": true, "interruptMode: prose-only\n": true} {
		w := newWorld(t)
		w.file("~/.omp/agent/rules/mine.md", "---\n"+twiceTrigger+head+"---\nNever twice.\n")
		if got := w.writing(tooLong, "--fail-closed"); got != nothing {
			t.Errorf("%s: %s", head, got) // none of them would have denied the call
		}
		if strings.Contains(w.lastErrs, "rule `mine` may have missed a match") != told {
			t.Errorf("%s: %q", head, w.lastErrs)
		}
	}
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\n"+twiceTrigger+"---\nNever twice.\n")
	w.file("~/.config/pertain/config.yaml", "ttsr: {enabled: false}\n")
	if got := w.writing(tooLong, "--fail-closed"); got != nothing || w.lastErrs != "" {
		t.Errorf("%s, %s", got, w.lastErrs)
	}
}

// TestUndecidedOfProject: a repository's rules are told of, and take the place of nothing that the user's own say.
func TestUndecidedOfProject(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.file(fmt.Sprintf(".omp/rules/a%d.md", i), "---\n"+twiceTrigger+"---\nTheirs.\n")
	}
	w.file(".omp/rules/broken.md", "---\nttsr_trigger: '('\n---\nBroken.\n")
	w.file("~/.omp/agent/rules/sleep.md", "---\nttsr_trigger: sleep\\(\n---\nNever sleep.\n")
	for _, args := range [][]string{nil, {"--fail-closed"}} {
		got := w.writing(tooLong+"sleep()", args...)
		has(t, got, `"deny"`, "Never sleep.")
		lacks(t, got, "missed", "could not check")
	}
	has(t, w.writing(tooLong, "--fail-closed"), `"deny"`, "rule `a0`, rule `a1`, rule `a2` and 2 more may have missed a match")
	w.file("~/.omp/agent/rules/mine.md", "---\n"+twiceTrigger+"---\nNever twice.\n")
	w.writing(tooLong)
	has(t, w.lastErrs, "hook: rule `mine`, rule `a0`, rule `a1` and 3 more may have missed a match")
	has(t, w.writing(tooLong+"sleep()"), `"deny"`, "Never sleep.")
}

// TestUndecidedIsNotHeeded: a rule that may fire again has not been heeded.
func TestUndecidedIsNotHeeded(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\n"+twiceTrigger+"---\nNever twice.\n")
	has(t, w.write("a.js", "foo = foo;"), `"deny"`)
	w.write("a.js", tooLong)
	has(t, w.claude("Stop", fields{"last_assistant_message": "foo = foo;"}), `"block"`)
	w.claude("Stop", fields{"last_assistant_message": tooLong})
	if diff := cmp.Diff([]string{"mine denied a.js", "mine interrupted"}, w.journal()); diff != "" {
		t.Error(diff)
	}
	w.write("a.js", "foo = bar;")
	if diff := cmp.Diff([]string{"mine denied a.js true", "mine interrupted"}, w.journal()); diff != "" {
		t.Error(diff)
	}
}

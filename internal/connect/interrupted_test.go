package connect_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/connect"
)

// ownHook is a settings file with a hook that the user has written, like ours.
const ownHook = `{"a": 1, "hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "pertain hook claude"}]}]}}`

// TestNoRecord: where nothing can be remembered, nothing is changed: undoing would take the user's own hook.
func TestNoRecord(t *testing.T) {
	p := newMachine(t)
	p.write(".claude/settings.json", ownHook)
	if err := os.WriteFile(p.setup.State, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := p.files()
	for _, got := range p.run("claude", nil) {
		if !strings.HasPrefix(got, "refused ") {
			t.Error(got)
		}
	}
	after := p.files()
	for path, text := range after {
		if before[path] != text {
			t.Errorf("%s: %s", path, text)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files, before %d", len(after), len(before))
	}
}

// TestInterrupted: a setup that ended between what it noted and what it did leaves all to be done again, and to be undone.
func TestInterrupted(t *testing.T) {
	for _, text := range []string{ownHook, `{"hooks": {"PreToolUse": []}}`, `{}`} {
		for _, again := range []bool{false, true} {
			p := newMachine(t)
			p.setup.Parts = []connect.Part{connect.Hooks}
			p.write(".claude/settings.json", text)
			p.run("claude", nil)
			p.write(".claude/settings.json", text) // as if it had not come to it
			if again {
				p.run("claude", nil)
			}
			p.run("claude", undo)
			if got := p.read(".claude/settings.json"); got != text {
				t.Errorf("%s, done again %t: %s", text, again, got)
			}
		}
	}
}

// TestUndoneTwice: to take a change back once more takes nothing of the user's, also where the first time was interrupted.
func TestUndoneTwice(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		p := newMachine(t)
		p.write(".claude/settings.json", ownHook)
		p.run("claude", nil)
		if interrupted { // the file is as it was, and the record is not gone
			p.write(".claude/settings.json", ownHook)
		}
		for range 3 {
			p.run("claude", undo)
			if got := p.read(".claude/settings.json"); got != ownHook {
				t.Fatalf("interrupted %t: %s", interrupted, got)
			}
		}
		p.run("claude", nil)
		if got := p.read(".claude/settings.json"); !strings.Contains(got, "SessionStart") {
			t.Error(got)
		}
		p.run("claude", undo)
		if got := p.read(".claude/settings.json"); got != ownHook {
			t.Errorf("again, interrupted %t: %s", interrupted, got)
		}
	}
}

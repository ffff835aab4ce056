//go:build unix

package git

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/repository"
)

// TestGitSettingsSwapped: settings that are changed after they were looked at, and
// before git reads them, start nothing.
func TestGitSettingsSwapped(t *testing.T) {
	h := newHostile(t)
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	// A git that is slow enough for somebody else: the settings change when it looks for changes.
	h.write("bin/git", "#!/bin/sh\ncase \"$*\" in *status*) printf '[filter \"x\"]\\n\\tclean = "+h.script+"\\n' >> '"+h.top+"/.git/config';; esac\nexec '"+real+"' \"$@\"\n", 0o700)
	h.touch()
	h.ran()
	env := func(name string) string {
		if name == "PATH" {
			return filepath.Join(h.base, "bin") + ":" + h.env("PATH")
		}
		return h.env(name)
	}
	state := reader(h.top, env, true).Read(t.Context(), h.top)
	if h.ran() || !state.Known || state.Changes {
		t.Errorf("%+v", state)
	}
	h.touch()
	if _, _ = h.tryGit("status", "--porcelain"); !h.ran() {
		t.Error("git itself does not run the filter, so this checks nothing")
	}
}

// TestGitSettingsOfTheWorkspace: the user's own settings may include a file of the
// repository; what that says counts as the repository's.
func TestGitSettingsOfTheWorkspace(t *testing.T) {
	h := newHostile(t)
	h.write("top/team", "[filter \"x\"]\n\tclean = "+h.script+"\n", 0o600)
	h.write("home/.gitconfig", "[user]\n\tname = n\n\temail = e@example.org\n[includeIf \"gitdir:"+h.base+"/\"]\n\tpath = "+h.top+"/team\n", 0o600)
	h.git("add", ".")
	h.ran()
	h.touch()
	h.look(true)
	if h.ran() {
		t.Error("a program of the repository ran")
	}
	h.touch()
	if _, _ = h.tryGit("status", "--porcelain"); !h.ran() {
		t.Error("git itself does not run the filter, so this checks nothing")
	}
}

// TestGitOwnFilters: what the user has defined for all repositories works.
func TestGitOwnFilters(t *testing.T) {
	h := newHostile(t)
	h.write("home/.gitconfig", "[user]\n\tname = n\n\temail = e@example.org\n[filter \"x\"]\n\tclean = \"sed s/b/a/\"\n", 0o600)
	h.write("top/a.txt", "b\n", 0o600) // clean, it is what is committed
	if state := h.look(true); !state.Known || state.Changes {
		t.Errorf("%+v", state)
	}
	h.write("top/a.txt", "c\n", 0o600)
	if state := h.look(true); !state.Known || !state.Changes {
		t.Errorf("%+v", state)
	}
}

func TestWriteGitSetting(t *testing.T) {
	h := newHostile(t)
	for _, tt := range []struct{ key, value string }{
		{"core.autocrlf", "input"}, {"filter.a.b.clean", `x "y" \z #;`}, {"filter..clean", "x"}, {`a."q\.b`, "  tab\there\nline "}, {"core.ünder", ""},
	} {
		var b strings.Builder
		if err := writeSetting(&b, tt.key, tt.value, true); err != nil {
			t.Errorf("%q: %v", tt.key, err)
			continue
		}
		if !strings.HasPrefix(tt.key, "core.ü") { // git has no such variables, and nobody reads it
			h.write("settings", b.String(), 0o600)
			if got := h.git("config", "--file", h.base+"/settings", "--null", "--get", tt.key); got != tt.value+"\x00" {
				t.Errorf("%q: %q, want %q (%s)", tt.key, got, tt.value, b.String())
			}
		}
	}
	for _, key := range []string{"core", "a b.c", "a.b\n.c", "a.b=c"} {
		if err := writeSetting(&strings.Builder{}, key, "x", true); err == nil {
			t.Errorf("%q is written", key)
		}
	}
}

// TestGitCopyOfWorktrees: linked work trees and detached heads are told as git
// tells them.
func TestGitCopyOfWorktrees(t *testing.T) {
	h := newHostile(t)
	h.git("worktree", "add", "-q", h.base+"/linked")
	h.git("checkout", "-q", "--detach")
	for _, top := range []string{h.top, filepath.Join(h.base, "linked")} {
		if _, err := repository.Open(top, false); err != nil {
			t.Fatal(err)
		}
		for _, changed := range []bool{false, true} {
			if changed {
				h.write(strings.TrimPrefix(top, h.base+"/")+"/new.txt", "x", 0o600)
			}
			if state := reader(top, h.env, true).Read(t.Context(), top); !state.Known || state.Changes != changed {
				t.Errorf("%s: %+v, want %v", top, state, changed)
			}
		}
	}
}

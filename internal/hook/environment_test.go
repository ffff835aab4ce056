package hook_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestVariablesOfAStranger: a repository's settings may set variables for hooks. Those that name its own files for the user's
// settings switch nothing off, and that is told.
func TestVariablesOfAStranger(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/no-eval.md", "---\nttsr_trigger: eval\\(\"\n---\nNever use eval.\n")
	w.file("cfg.yaml", "ttsr: {enabled: false}\n")
	w.file(".x/pertain/config.yaml", "ttsr: {enabled: false}\n")
	w.file("~/own.yaml", "ttsr: {enabled: false}\n")
	if err := os.Symlink(w.dir, filepath.Join(w.home, "link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, value string
		denied      bool
		told        bool
	}{
		{"PERTAIN_CONFIG", filepath.Join(w.dir, "cfg.yaml"), true, true},
		{"PERTAIN_CONFIG", filepath.Join(w.home, "link", "cfg.yaml"), true, true},
		{"XDG_CONFIG_HOME", filepath.Join(w.dir, ".x"), true, true},
		{"XDG_STATE_HOME", filepath.Join(w.dir, ".s"), true, true},
		{"COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "x," + w.dir, true, true},
		{"PERTAIN_CONFIG", filepath.Join(w.home, "own.yaml"), false, false}, // the user's own
	} {
		w.env = map[string]string{"HOME": w.home, "USERPROFILE": w.home, c.name: c.value}
		w.begin("startup")
		got := w.write("a.js", bad)
		if strings.Contains(got, `"deny"`) != c.denied || strings.Contains(w.lastErrs, "a variable of the environment") != c.told {
			t.Errorf("%s=%s: %s, %s", c.name, c.value, got, w.lastErrs)
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, ".s")); err == nil {
		t.Error("state is kept in the repository")
	}
}

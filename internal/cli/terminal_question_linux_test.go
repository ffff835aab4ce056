package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewRuleAsks: what the call leaves open is asked for on a terminal, again if the
// answer cannot be meant.
func TestNewRuleAsks(t *testing.T) {
	t.Run("everything", func(t *testing.T) {
		home := t.TempDir()
		p := startProgram(t, 120, 24, home, nil, "new", "rule")
		p.see("Name of the rule:")
		p.keys("--\n")
		p.see("a name holds a letter or digit")
		p.keys("API errors\n")
		p.see("Tool (pertain, omp, claude,")
		p.keys("emacs\n")
		p.see("there is no such tool here")
		p.keys("cursor\n")
		p.see("Globs of the files")
		p.keys("src/**/*.{ts,tsx}, *.js\n")
		p.see("What it is about")
		p.keys("How to: report errors\n")
		p.see("Regular expression")
		p.keys("throw (\n")
		p.see("the group is never closed")
		p.keys("throw \\(\n")
		path := filepath.Join(home, ".cursor/rules/api-errors.mdc")
		p.ends(0, path+"\n")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`globs: "src/**/*.{ts,tsx},*.js"`, `description: "How to: report errors"`, `condition: "throw \\("`} {
			if !strings.Contains(string(text), want+"\n") {
				t.Errorf("%s is not in\n%s", want, text)
			}
		}
	})
	t.Run("empty answers", func(t *testing.T) {
		home := t.TempDir()
		p := startProgram(t, 120, 24, home, nil, "new", "rule", "house")
		p.see("Tool (", "!Name of")
		p.keys("\n\n\n\n")
		path := filepath.Join(home, ".pertain/rules/house.md")
		p.ends(0, path+"\n")
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "alwaysApply: true\n") {
			t.Errorf("%v\n%s", err, text)
		}
	})
	t.Run("flags have said it", func(t *testing.T) {
		home := t.TempDir()
		p := startProgram(t, 120, 24, home, nil, "new", "rule", "house", "--always")
		p.ends(0, filepath.Join(home, ".pertain/rules/house.md")+"\n")
	})
	t.Run("left", func(t *testing.T) {
		home := t.TempDir()
		p := startProgram(t, 120, 24, home, nil, "new", "rule", "house", "--tool", "omp")
		p.see("Globs of the files", "!Tool (")
		p.keys("\x04")
		p.ends(1, "")
		if _, err := os.Stat(filepath.Join(home, ".omp")); err == nil {
			t.Error("something was written")
		}
	})
}

// TestFixAsks: files that nobody named are changed only after a yes, and not where somebody has changed them since they were read.
func TestFixAsks(t *testing.T) {
	const broken = "---\nglobs: *.ts\n---\nText.\n"
	for _, c := range []struct {
		answer, edited, want string
		exit                 int
	}{
		{answer: "\n", want: broken, exit: 1},
		{answer: "y\n", want: "---\nglobs: '*.ts'\n---\nText.\n"},
		{answer: "y\n", edited: broken + "More.\n", want: broken + "More.\n", exit: 1},
	} {
		home := t.TempDir()
		file := filepath.Join(home, ".cursor/rules/a.mdc")
		write := func(text string) {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(broken)
		p := startProgram(t, 120, 24, home, nil, "lint", "--fix", ".cursor", "--format", "short")
		p.see(".cursor/rules/a.mdc: put the value in quotes", "Mend 1 file? [y/N]")
		if c.edited != "" {
			write(c.edited)
		}
		p.keys(c.answer)
		p.ends(c.exit, "")
		if text, err := os.ReadFile(file); err != nil || string(text) != c.want {
			t.Errorf("after %q: %v\n%s", c.answer, err, text)
		}
	}
}

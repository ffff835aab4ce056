package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestNamesInDiffs: a file whose name holds lines of a diff adds none to that of any command.
func TestNamesInDiffs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its names have no line ends")
	}
	const odd = "x\n--- a\n+++ b\n@@ -0,0 +1 @@\n+EVIL\n\x1b[31m\u202e "
	const shown = `x\n--- a\n+++ b\n@@ -0,0 +1 @@\n+EVIL\n\033[31m\342\200\256 `
	for _, tt := range []struct {
		file, text string
		args       []string
		want       string // the name in the diff
	}{
		{".cursor/rules/" + odd + ".mdc", "---\nglobs: *.ts\nalwaysApply: false\n---\nx\n", []string{"lint", "--fix", "--dry-run", "."}, `".cursor/rules/` + shown + `.mdc"`},
		{".pertain/strategies/" + odd + ".strategy.md", "---\nwhen: true\nname: 'S'\n---\nx\n", []string{"fmt", "--diff", "."}, `".pertain/strategies/` + shown + `.strategy.md"`},
		{odd + "/.claude/settings.json", "{}\n", []string{"--cwd", odd, "setup", "claude", "--dry-run"}, ""},
		{".claude/rules/" + odd + ".md", "text\n", []string{"import", "--from", "claude", "--dry-run"}, ""},
		{".pertain/rules/" + odd + ".md", "text\n", []string{"export", "--to", "cursor", "--dry-run"}, ""},
		{".pertain/rules/" + odd + "/two words.md", "---\nalwaysApply: true\n---\ntext\n", []string{"export", "--to", "claude", "--dry-run"}, ""},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{tt.file: tt.text, ".git/HEAD": "ref: refs/heads/main\n"} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, out, notes := callIn(t, dir, "", tt.args...)
		if !strings.HasPrefix(out, "--- ") {
			t.Errorf("%q: no diff: %q, stderr %q", tt.args, out, notes)
			continue
		}
		if forged := regexp.MustCompile(`(?m)^(--- a|\+\+\+ b|@@ -0,0 \+1 @@|\+EVIL)$|\x1b|\x{202e}`).FindString(out); forged != "" {
			t.Errorf("%q: %q in %q", tt.args, forged, out)
		}
		if head := "--- " + tt.want + "\n+++ " + tt.want + "\n@@ "; tt.want != "" && !strings.HasPrefix(out, head) {
			t.Errorf("%q: %q, want %q first", tt.args, out, head)
		}
	}
}

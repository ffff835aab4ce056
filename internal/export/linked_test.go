package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

// TestLinkedText: what a link of a stranger's repository leads to is not written into its files, and that is told; in a trusted
// workspace the user has made the link.
func TestLinkedText(t *testing.T) {
	const secret = "my diary"
	for _, trusted := range []bool{false, true} {
		w := newWorld(t, map[string]string{".claude/rules/own.md": "Own.", "docs/inside.md": "Inside."})
		outside := filepath.Join(w.folders.Home, "Documents", "diary.md")
		if err := os.MkdirAll(filepath.Dir(outside), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(outside, []byte(secret), 0o600); err != nil {
			t.Fatal(err)
		}
		w.link(outside, ".claude/rules/x.md")
		w.link(filepath.Join(w.folders.Root, "docs", "inside.md"), ".claude/rules/in.md")
		list, warnings, err := Import(t.Context(), w.folders, Source{All: true, Dir: w.folders.Root, Trusted: trusted}, w.path(".pertain/rules"), false)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range list {
			text += w.read(".pertain/rules/" + filepath.Base(f.Path))
		}
		told := false
		for _, d := range warnings {
			told = told || d.Code == diag.RuleOutsideWorkspace && d.File() == w.path(".claude/rules/x.md")
		}
		if strings.Contains(text, secret) != trusted || told == trusted || !strings.Contains(text, "Own.") || !strings.Contains(text, "Inside.") {
			t.Errorf("trusted %v: %q, %v", trusted, text, warnings)
		}
		all := ""
		for _, f := range w.export(Run{}, Source{From: []string{"claude"}, Dir: w.folders.Root, Trusted: trusted}, "cursor") {
			data, _ := os.ReadFile(f.Path)
			all += string(data)
		}
		if strings.Contains(all, secret) != trusted || !strings.Contains(all, "Own.") {
			t.Errorf("trusted %v: exported %q", trusted, all)
		}
	}
}

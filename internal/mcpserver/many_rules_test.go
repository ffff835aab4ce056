package mcpserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyRulesForFiles: of rules without number an answer names some, says how many are left out, and always has the user's own.
func TestManyRulesForFiles(t *testing.T) {
	folder := map[string]string{}
	for i := range 600 {
		folder[fmt.Sprintf(".cursor/rules/r%03d.mdc", i)] = fmt.Sprintf("---\nglobs: '*.ts'\n---\nText %d.\n", i)
	}
	b := connect(t, legacy, world(t, folder))
	own := filepath.Join(b.home, ".omp", "agent", "rules", "mine.md")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("---\nalwaysApply: true\n---\nMy own.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := text(call(t, b, "rules_for_files", `{"files":["a.ts"]}`))
	if !strings.Contains(got, "100 more apply, which are too many for one answer") || !strings.Contains(got, "My own.") || strings.Count(got, `"uri"`) != 501 {
		t.Errorf("%d rules: %s", strings.Count(got, `"uri"`), got[max(0, len(got)-2000):])
	}
	if got := text(call(t, b, "rules_for_files", `{"files":["a.md"]}`)); strings.Contains(got, "more apply") {
		t.Error(got)
	}
}

package pertain_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// foreignCitation is a section of a document that the repository does not hold. Sections of published standards are named with
// the standard.
var foreignCitation = regexp.MustCompile(`\b(MS|CF|RB|[A-Z]{5,}(\.md)?|[Cc]ontract('s)?) ?§`)

// TestCitations: code, tests and documents cite pages that their reader has. The conformance cases alone name the sections of the
// specification, each beside its page.
func TestCitations(t *testing.T) {
	looked := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "node_modules", "conformance", "dist"}, entry.Name()) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !slices.Contains([]string{".go", ".md", ".js", ".mjs", ".yaml", ".txtar"}, filepath.Ext(path)) || path == "citations_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		looked++
		for i, line := range strings.Split(string(text), "\n") {
			if cited := foreignCitation.FindString(line); cited != "" {
				t.Errorf("%s:%d cites `%s`, which nobody has; name a page of docs/reference", filepath.ToSlash(path), i+1, cited)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if looked < 500 {
		t.Errorf("only %d files were looked at", looked)
	}
}

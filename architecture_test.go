package pertain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchitecture holds that docs/architecture.md tells where everything is: every file of the root, every folder of
// it, and every folder of internal.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, listed, _ := strings.Cut(string(text), "## What lives where")
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") && !strings.Contains(listed, "`"+file+"`") {
			t.Errorf("%s is not listed", file)
		}
	}
	for _, pattern := range []string{"*", "internal/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if info, err := os.Stat(name); err != nil || !info.IsDir() || name == "internal" || name == "dist" || strings.HasPrefix(name, ".") {
				continue
			}
			if !strings.Contains(listed, "`"+filepath.ToSlash(name)+"/") {
				t.Errorf("the folder %s is not listed", name)
			}
		}
	}
}

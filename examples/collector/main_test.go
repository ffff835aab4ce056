package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for head, want := range map[string]string{
		"ref: refs/heads/release-1\n": "extra.workspace example.branch true\nReview before the release\n",
		"ref: refs/heads/main\n":      "extra.workspace example.branch true\n",
		"0123456789\n":                "extra.workspace example.branch false\n",
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(head), 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := run(t.Context(), &out, dir); err != nil || out.String() != want {
			t.Errorf("%q: %v %q, want %q", head, err, out.String(), want)
		}
	}
}

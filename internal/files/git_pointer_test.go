package files_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestGitPointer: the first line counts, without blanks around the path, and a word that it must begin with.
func TestGitPointer(t *testing.T) {
	for text, want := range map[string]string{
		"gitdir: /r/.git/worktrees/w\n": "/r/.git/worktrees/w",
		"gitdir:../m \t\r\nmore\n":      "/w/m",
		"gitdir: \n/r\n":                "",
		"gitdir: /r\x00/s\n":            "",
		"/r\n":                          "",
		"\ngitdir: /r\n":                "",
		"Gitdir: /r\n":                  "",
	} {
		tree := files.NewMemory(files.Unix)
		tree.WriteFile("/w/x/.git", text)
		got, ok := files.GitPointer(tree, "/w/x", "/w/x/.git", "gitdir:")
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/w/.git/HEAD", "ref: refs/heads/main \r\n")
	if got, err := files.GitLine(tree, "/w/.git/HEAD"); got != "ref: refs/heads/main" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := files.GitLine(tree, "/w/.git"); err == nil {
		t.Error("a folder has a line")
	}
	tree.WriteFile("/w/.git/large", string(make([]byte, 64<<10+1)))
	if _, err := files.GitLine(tree, "/w/.git/large"); err == nil {
		t.Error("a large file is read")
	}
}

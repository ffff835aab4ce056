package writing

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestScratchLeft: what a process left that was killed is gone with the next one, and nothing else.
func TestScratchLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folder of temporary files has another variable")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	first, remove, err := Scratch("", map[string]string{"a/b": "secret", "empty/": ""})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(first, "a/b")); err != nil || string(text) != "secret" {
		t.Fatal(string(text), err)
	}
	left := filepath.Join(temporary, scratchName()) // whose process is dead: nobody holds its lock
	for _, path := range []string{filepath.Join(left, "files"), filepath.Join(temporary, "pertain-0123456789abcdef"), filepath.Join(temporary, "pertain-123")} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "config.yaml"), []byte("apiKey: x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target := t.TempDir()
	linked := filepath.Join(temporary, scratchName())
	if err := os.Symlink(target, linked); err != nil {
		t.Fatal(err)
	}
	second, removeSecond, err := Scratch("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer removeSecond()
	for _, path := range []string{first, second, linked, target, filepath.Join(temporary, "pertain-0123456789abcdef/config.yaml"), filepath.Join(temporary, "pertain-123/config.yaml")} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("it is still there")
	}
	remove()
	if _, err := os.Lstat(filepath.Dir(first)); err == nil {
		t.Error("it was not removed")
	}
}

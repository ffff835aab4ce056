package writing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	target, err := writing.OwnTarget(path)
	if err != nil {
		t.Fatal(err)
	}
	add := func(text string) {
		t.Helper()
		if err := target.Append([]byte(text), 0o600, 12); err != nil {
			t.Fatal(err)
		}
	}
	want := func(text, aside string) {
		t.Helper()
		have, _ := os.ReadFile(path)
		before, _ := os.ReadFile(path + ".1")
		if string(have) != text || string(before) != aside {
			t.Fatalf("%q after %q, want %q after %q", have, before, text, aside)
		}
	}
	add("one\n")
	add("two\n")
	want("one\ntwo\n", "")
	// A process that was killed left a part of a line.
	if err := os.WriteFile(path, []byte("one\ntw"), 0o600); err != nil {
		t.Fatal(err)
	}
	add("six\n")
	want("one\ntw\nsix\n", "")
	// One more does not fit.
	add("ten\n")
	want("ten\n", "one\ntw\nsix\n")
	if all, err := target.Logged(100); err != nil || string(all) != "one\ntw\nsix\nten\n" {
		t.Errorf("%q, %v", all, err)
	}
	add("1234567\n")
	add("a\n")
	want("a\n", "ten\n1234567\n")
}

func TestAppendRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "log"), 0o700); err != nil {
		t.Fatal(err)
	}
	target, err := writing.OwnTarget(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := target.Append([]byte("x\n"), 0o600, 100); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder is appended to: %v", err)
	}
}

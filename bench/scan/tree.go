package scan

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"
)

// maxFile bounds a file of the tree, in bytes.
const maxFile = 512 << 10

// sources gives a tree of source files of about total bytes: those of Go's own
// distribution, as often as it takes. It is kept in the folder for temporary files
// for the next time.
func sources(total int) (tree, error) {
	root := filepath.Join(os.TempDir(), fmt.Sprintf("pertain-bench-%s-%dk", runtime.Version(), total>>10))
	if _, err := os.Stat(root); err != nil {
		if err := copySources(root, total); err != nil {
			return tree{}, err
		}
	}
	t := tree{root: root}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			t.files, t.size = append(t.files, path), t.size+info.Size()
		}
		return err
	})
	return t, err
}

// copySources makes the tree, as a whole or not at all.
func copySources(root string, total int) error {
	output, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	from := filepath.Join(strings.TrimSpace(string(output)), "src")
	dir, err := os.MkdirTemp(filepath.Dir(root), "pertain-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	size := 0
	for round := 0; size < total; round++ {
		before := size
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || size >= total || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) > maxFile || !utf8.Valid(text) || bytes.ContainsAny(text, "\x00\r") {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			to := filepath.Join(dir, fmt.Sprint(round), name)
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				return err
			}
			size += len(text)
			return os.WriteFile(to, text, 0o600)
		})
		if err != nil {
			return err
		}
		if size == before {
			return fmt.Errorf("%s has no source files", from)
		}
	}
	return os.Rename(dir, root)
}

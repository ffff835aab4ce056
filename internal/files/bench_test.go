package files_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// BenchmarkReadFolder reads 1,000 small files in ten folders, as loading strategies does; `plain` is the standard library.
func BenchmarkReadFolder(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		folder := filepath.Join(dir, fmt.Sprint(i/100))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i, ".strategy.md")), make([]byte, 600), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					_, err = os.ReadFile(path)
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tree", func(b *testing.B) {
		b.ReportAllocs()
		tree := files.OS()
		for b.Loop() {
			err := files.Walk(b.Context(), tree, dir, files.WalkOptions{Follow: true}, func(s files.Step) error {
				if s.Err == nil && s.Info.Kind == files.File {
					_, s.Err = tree.ReadFile(s.Path, 1<<20)
				}
				return s.Err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

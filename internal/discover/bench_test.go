package discover_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// largeProject writes a repository with 1,000 rule files in three tools' folders
// and 50,000 other files in 1,000 folders.
func largeProject(b *testing.B) string {
	b.Helper()
	root := b.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write(".git/HEAD", "ref: refs/heads/main\n")
	for i := range 1000 {
		folder := [3]string{".cursor/rules/%d.mdc", ".claude/rules/%d.md", ".windsurf/rules/%d.md"}[i%3]
		write(fmt.Sprintf(folder, i), fmt.Sprintf("---\ndescription: Rule %d\nglobs: src/p%d/**/*.ts\n---\n\n# Rule %d\n\nDo it well.\n", i, i%100, i))
	}
	for i := range 50_000 {
		write(fmt.Sprintf("src/p%d/m%d/f%d.ts", i/500, i/50%10, i), "")
	}
	return root
}

// BenchmarkDiscovery: `rules` must cost what reading the tool folders costs
// (toolFolders), whatever else the repository holds; `nested` is the walk of the
// whole tree that --nested asks for.
func BenchmarkDiscovery(b *testing.B) {
	root := largeProject(b)
	tree := files.OS()
	b.Run("toolFolders", func(b *testing.B) {
		for b.Loop() {
			for _, folder := range []string{".cursor/rules", ".claude/rules", ".windsurf/rules"} {
				err := files.Walk(context.Background(), tree, filepath.Join(root, folder), files.WalkOptions{}, func(step files.Step) error {
					if step.Info.Kind == files.File {
						_, err := tree.ReadFile(step.Path, 0)
						return err
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("rules", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			set, err := rule.Load(context.Background(), discover.Rules(tree, discover.RuleRoots{Dir: root}), rule.Options{})
			if err != nil || len(set.All()) != 1000 {
				b.Fatal(len(set.All()), err)
			}
		}
	})
	b.Run("nested", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := discover.NestedFolders(context.Background(), tree, root); err != nil {
				b.Fatal(err)
			}
		}
	})
}

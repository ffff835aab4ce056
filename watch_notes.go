package pertain

import (
	"context"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/strategy"
)

// noteFolders notes that folders are listed, and what each thing in them is:
// that is what decides which providers there are.
func noteFolders(ctx context.Context, folders []string) {
	tree := follow.Noted(ctx, files.OS())
	for _, folder := range folders {
		entries, _ := tree.ReadDir(folder) // what is not there is noted too
		for _, e := range entries {
			follow.Note(ctx, tree.Flavor().Join(folder, e.Name))
		}
	}
}

// noteProvider notes what a provider says it reads, if it does not do so itself:
// programs have providers of their own.
func noteProvider(ctx context.Context, p strategy.Provider, entries []strategy.Entry) {
	for _, root := range p.Roots() {
		if follow.HasListed(ctx, root) {
			continue
		}
		_ = files.Walk(ctx, follow.Noted(ctx, files.OS()), root, files.WalkOptions{Follow: true}, func(s files.Step) error {
			if name := files.Native().Base(s.Path); s.Info.Kind == files.Folder && (name == ".git" || name == "node_modules") && s.Rel != "." {
				return files.ErrSkipFolder
			}
			return nil
		}) // what cannot be walked is noted as far as it goes
		for _, e := range entries {
			follow.Note(ctx, e.Name)
		}
	}
}

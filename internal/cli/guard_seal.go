package cli

import (
	"fmt"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/store"
	"github.com/pertain-dev/pertain/stream"
)

// seal makes the memory of a conversation in a workspace that is not trusted believe only
// what it wrote itself. A repository could bring such a file, which says that the user's
// own rules have fired already, and so silences them.
func (a *app) seal(kept *stream.FileMemory, named string) {
	paths := a.paths()
	root := discover.WorkspaceAround(files.OS(), filepath.Dir(kept.Path()))
	if root == "" {
		return
	}
	if trusted, err := (settings.Trust{Path: paths.Trust}).Trusted(root); err == nil && trusted {
		return
	}
	var seal store.Seal
	if paths.State != "" {
		seal.Path = filepath.Join(paths.State, "seal.key")
	}
	told := false
	kept.Believe(seal, func() {
		if !told {
			told = true
			fmt.Fprintf(a.call.Stderr, "pertain: --memory %s: what it says is not believed, because it is in a workspace that is not trusted and your Pertain did not write it there; the conversation begins anew. `pertain trust`, or a file elsewhere, keeps what others write\n", clean(named))
		}
	})
}

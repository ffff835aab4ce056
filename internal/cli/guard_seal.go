package cli

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/store"
	"github.com/pertain-dev/pertain/stream"
)

// seal makes the memory of a conversation believe only what it wrote itself, unless its
// folder is trusted. A repository, an unpacked archive or another user could bring such a
// file, which says that the user's own rules have fired already, and so silences them.
func (a *app) seal(kept *stream.FileMemory, named string) {
	paths := a.paths()
	folder := filepath.Dir(kept.Path())
	root := settings.WorkspaceAround(files.OS(), folder)
	if root == "" && paths.State == "" {
		return // without a home there is no key, and no rule of the user's own to be silenced
	}
	if trusted, err := (settings.Trust{Path: paths.Trust}).Trusted(cmp.Or(root, folder)); err == nil && trusted {
		return
	}
	where := "it is in a folder that is not trusted"
	if root != "" {
		where = "it is in a workspace that is not trusted"
	}
	var seal store.Seal
	if paths.State != "" {
		seal.Path = filepath.Join(paths.State, "seal.key")
	}
	told := false
	kept.Believe(seal, func() {
		if !told {
			told = true
			fmt.Fprintf(a.call.Stderr, "pertain: --memory %s: what it says is not believed, because %s and your Pertain did not write it there; the conversation begins anew. `pertain trust` makes it believe what others write\n", clean(named), where)
		}
	})
}

package cases

import (
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
)

// OpenContext reads a context file that a test file names, within the bounds of its workspace. A test file may be a stranger's, and
// what of a file is no context is told: one that looks like a secret is not read. The error is for people, without the path.
func OpenContext(tree files.Tree, path string, within files.Bounds) ([]byte, error) {
	o, err := tree.Open(path, within)
	if err != nil {
		return nil, errors.New(fileerror.Reason(err))
	}
	defer o.Close()
	if folder, _ := within.Folder(tree.Flavor(), o.Real()); folder != "" && isSecret(secret.Ground{Tree: tree, Folder: folder}, o.Real()) {
		return nil, errors.New("it looks like a secret")
	}
	data, err := o.Read(MaxContext)
	if err != nil {
		return nil, errors.New(fileerror.Reason(err))
	}
	return data, nil
}

// isSecret judges by the name only what is not called as contexts are: these may well be about tokens and passwords.
func isSecret(ground secret.Ground, real string) bool {
	base := strings.ToLower(ground.Tree.Flavor().Base(real))
	isEnd := func(end string) bool { return strings.HasSuffix(base, end) }
	named := !strings.HasPrefix(base, ".") && slices.ContainsFunc([]string{".json", ".yaml", ".yml"}, isEnd)
	return ground.InFolder(real) || !named && ground.Looks(real)
}

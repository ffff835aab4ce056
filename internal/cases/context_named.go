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
	folder, _ := within.Folder(tree.Flavor(), o.Real())
	ground := secret.Ground{Tree: tree, Folder: folder}
	named := isNamed(tree.Flavor(), o.Real())
	if folder != "" && (ground.InFolder(o.Real()) || !named && ground.Looks(o.Real())) {
		return nil, errSecret
	}
	data, err := o.Read(MaxContext)
	if err != nil {
		return nil, errors.New(fileerror.Reason(err))
	}
	if folder != "" && !named && ground.Holds(o.Real(), data) {
		return nil, errSecret
	}
	return data, nil
}

var errSecret = errors.New("it looks like a secret")

// isNamed tells what is called as contexts are: these may well be about tokens and passwords, and are not judged by their names and texts.
func isNamed(flavor files.Flavor, real string) bool {
	base := strings.ToLower(flavor.Base(real))
	isEnd := func(end string) bool { return strings.HasSuffix(base, end) }
	return !strings.HasPrefix(base, ".") && slices.ContainsFunc([]string{".json", ".yaml", ".yml"}, isEnd)
}

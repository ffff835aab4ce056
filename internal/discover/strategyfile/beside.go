package strategyfile

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
)

// Beside strategies their authors keep test files and contexts. What such a file says is shown where it is wrong, so it
// reaches what a strategy in its place does.

// Reach is where a file beside strategies may lead that a user named: within the workspace that it is in, and anywhere
// from outside of all.
func Reach(tree files.Tree, roots Roots, path string) files.Bounds {
	n := naming{tree: tree, roots: roots}
	f, _ := n.home(path)
	if f == nil {
		f = n.loose(path)
	}
	return confines(tree, f.confine)
}

// ReadBeside reads a file beside strategies within bounds. A link to a secret is not read.
func ReadBeside(tree files.Tree, path string, within files.Bounds, limit int64) ([]byte, error) {
	data, real, err := files.ReadWithin(tree, path, within, limit)
	if err != nil {
		return nil, err
	}
	if isUnlinked(tree, path, real) {
		return data, nil
	}
	ground, _ := within.Folder(tree.Flavor(), real)
	if ground == "" {
		ground = ownGround(tree, path, "")
	}
	if isSecretBeside(tree, ground, real, data) {
		return nil, linkedSecret(path)
	}
	return data, nil
}

// besideEndings are those of files that stand beside strategies.
var besideEndings = []string{".test.yaml", ".context.json", ".context.yaml"}

// isSecretBeside judges by its folder and its text only what is called as these files are: they are named after what they
// are about, such as tokens.
func isSecretBeside(tree files.Tree, ground, real string, data []byte) bool {
	name := tree.Flavor().ToSlash(real)
	isEnd := func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) }
	if !slices.ContainsFunc(besideEndings, isEnd) {
		return isSecret(tree, ground, real, data)
	}
	return secret.Holds(name, data) || secret.Ground{Tree: tree, Folder: ground}.InFolder(real)
}

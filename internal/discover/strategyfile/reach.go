package strategyfile

import (
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// A folder or file of strategies that is named on a command line may lie in a
// repository of strangers. Its files then reach what that repository holds and
// nothing else, as those in its .pertain folder. And whoever wrote a strategy, a
// secret of the user's is never its text.

// confines is where files that belong to a workspace must be; empty: anywhere.
func confines(tree files.Tree, workspace string) files.Bounds {
	if workspace == "" {
		return files.Anywhere()
	}
	return files.Below(tree, workspace)
}

// readStrategy reads a strategy file that must be in a workspace; empty: that may
// be anywhere, as the user's own. A link to a secret is not read, and where the user
// trusts the workspace, nothing that somebody else has put there.
func readStrategy(tree files.Tree, path, workspace string, trusted bool) ([]byte, error) {
	data, real, err := readTrusted(tree, path, workspace, trusted)
	if err != nil {
		return nil, err
	}
	if !isUnlinked(tree, path, real) && isSecret(tree, ownGround(tree, path, workspace), real, data) {
		return nil, linkedSecret(path)
	}
	return data, nil
}

// isUnlinked tells whether a path is no link, seen from its folder: the file is what its name says.
func isUnlinked(tree files.Tree, path, real string) bool {
	flavor := tree.Flavor()
	folder, err := tree.RealPath(flavor.Dir(path))
	return err == nil && flavor.Key(flavor.Join(folder, flavor.Base(path))) == flavor.Key(real)
}

func linkedSecret(path string) error {
	return &files.OutsideError{Path: path, Why: "it is a link to what looks like a secret"}
}

// readTrusted reads a file of a workspace. The user trusted a folder, not everybody who
// may write it; without trust such a file is only listed, to be looked at.
func readTrusted(tree files.Tree, path, workspace string, trusted bool) (data []byte, real string, err error) {
	o, err := tree.Open(path, confines(tree, workspace))
	if err != nil {
		return nil, "", err
	}
	defer o.Close()
	if trusted && workspace != "" {
		if err := files.RefuseForeign(tree, o, workspace, path, files.IsShared); err != nil {
			return nil, "", err
		}
	}
	data, err = o.Read(document.MaxBytes)
	return data, o.Real(), err
}

// ownGround is the folder, without links, whose files were put there together with
// a strategy file: its workspace, or else the folder it is in. It is empty if that
// cannot be found.
func ownGround(tree files.Tree, path, workspace string) string {
	if workspace == "" {
		workspace = tree.Flavor().Dir(path)
	}
	real, err := tree.RealPath(workspace)
	if err != nil {
		return ""
	}
	return real
}

// isSecret tells whether a file, links followed, is likely to hold a secret, seen
// from ground of its own: there, Markdown is named after what it is about, and
// folders above say nothing.
func isSecret(tree files.Tree, ground, real string, data []byte) bool {
	flavor := tree.Flavor()
	name := flavor.ToSlash(real)
	own := secret.Ground{Tree: tree, Folder: ground}
	if own.Holds(real, data) {
		return true
	}
	if ground != "" && flavor.Inside(ground, real) {
		return own.Looks(real)
	}
	anywhere := secret.Ground{Tree: tree}
	return anywhere.InFolder(real) || !strategy.IsFile(name) && (secret.HasName(name) || anywhere.IsKeyFile(real))
}

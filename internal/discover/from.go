package discover

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// FileResolver resolves relative and absolute paths of `from`.
type FileResolver struct{ Tree files.Tree }

// CanResolve is true for everything that is no URI.
func (r FileResolver) CanResolve(ref strategy.Reference, _ *diag.Source, _ strategy.Origin) bool {
	return ref.Scheme() == ""
}

// Resolve reads the file, seen from the folder of the current one. In a
// workspace it must lie inside once links are followed.
func (r FileResolver) Resolve(_ context.Context, ref strategy.Reference, current *diag.Source, origin strategy.Origin) (strategy.Included, error) {
	flavor := r.Tree.Flavor()
	path := r.path(ref.Target, current)
	if !flavor.IsAbs(path) {
		return strategy.Included{}, &strategy.HintError{
			Problem: "`" + ref.Target + "` cannot be found from a file without a folder", Hint: "write an absolute path",
		}
	}
	if origin.Confine != "" {
		if err := r.confined(path, ref.Target, origin.Confine); err != nil {
			return strategy.Included{}, err
		}
	}
	data, err := r.Tree.ReadFile(path, document.MaxBytes)
	if err != nil {
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = "paths are relative to the folder of this file"
			if strings.HasPrefix(ref.Target, "~") {
				hint = "`~` is not expanded; write the full path"
			}
		}
		return strategy.Included{}, &strategy.HintError{Problem: "the source `" + ref.Target + "` cannot be read: " + reason(err), Hint: hint}
	}
	return strategy.Included{Name: path, Data: data, Folder: flavor.Base(flavor.Dir(path))}, nil
}

// path makes the target absolute. Backslashes separate everywhere, so that a
// file written on Windows is found elsewhere too, unless such a name exists.
func (r FileResolver) path(target string, current *diag.Source) string {
	flavor := r.Tree.Flavor()
	if flavor.IsAbs(target) {
		return flavor.Clean(target)
	}
	dir := flavor.Dir(current.Name())
	path := flavor.Join(dir, target)
	if strings.Contains(target, `\`) && !strings.Contains(target, "/") {
		if _, err := r.Tree.Stat(path); err != nil && !(len(target) > 1 && target[1] == ':') {
			return flavor.Join(dir, strings.ReplaceAll(target, `\`, "/"))
		}
	}
	return path
}

// confined refuses what leaves the folder, by name or through links.
func (r FileResolver) confined(path, target, root string) error {
	refusal := &strategy.HintError{
		Problem: "`" + target + "` lies outside of the workspace",
		Hint:    "copy the file into the workspace; a workspace's strategies reach only its own files",
	}
	inside, err := files.Within(r.Tree, root, path)
	if err != nil && !r.Tree.Flavor().Inside(root, path) {
		return refusal // not there, and not to be told so
	}
	if err == nil && !inside {
		return refusal
	}
	return nil
}

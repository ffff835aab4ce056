package discover

import (
	"context"
	"errors"
	"io/fs"
	"slices"
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
			} else if flavor == files.Unix && isDrivePath(ref.Target) {
				hint = "this is a path of Windows; write one of this system"
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
	path := flavor.Abs(dir, target)
	if flavor == files.Unix && strings.Contains(target, `\`) && !isDrivePath(target) {
		if _, err := r.Tree.Stat(path); err != nil {
			return flavor.Join(dir, strings.ReplaceAll(target, `\`, "/"))
		}
	}
	return path
}

// isDrivePath is true for a path of another system, such as `C:\x`.
func isDrivePath(target string) bool {
	return len(target) > 1 && target[1] == ':' || strings.HasPrefix(target, `\`)
}

// confined refuses what leaves the folder, by name or through links.
func (r FileResolver) confined(path, target, root string) error {
	refusal := &strategy.HintError{
		Problem: "`" + target + "` lies outside of the workspace",
		Hint:    "copy the file into the workspace; a workspace's strategies reach only its own files",
	}
	if !r.Tree.Flavor().Inside(root, path) {
		if inside, err := files.Within(r.Tree, root, path); err != nil || !inside {
			return refusal // whether it is there is not to be told
		}
		return nil
	}
	// What does not exist is judged by the nearest folder above it that does: a
	// link out of the workspace must not tell which files are behind it.
	for at := path; ; at = r.Tree.Flavor().Dir(at) {
		inside, err := files.Within(r.Tree, root, at)
		switch {
		case err == nil && inside:
			return nil
		case err == nil, at == r.Tree.Flavor().Dir(at), r.isLink(at):
			return refusal
		}
	}
}

// isLink tells whether a name is a link, also one that leads nowhere.
func (r FileResolver) isLink(path string) bool {
	entries, err := r.Tree.ReadDir(r.Tree.Flavor().Dir(path))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e files.Entry) bool {
		return e.Kind == files.Link && e.Name == r.Tree.Flavor().Base(path)
	})
}

package strategyfile

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/strategy"
)

// Resolver resolves relative and absolute paths of `from`.
type Resolver struct{ Tree files.Tree }

// CanResolve is true for everything that is no URI.
func (r Resolver) CanResolve(ref strategy.Reference, _ *diag.Source, _ strategy.Origin) bool {
	return ref.Scheme() == ""
}

// Resolve reads the file, seen from the folder of the current one. In a
// workspace it must lie inside once links are followed; nowhere is it a secret.
func (r Resolver) Resolve(ctx context.Context, ref strategy.Reference, current *diag.Source, origin strategy.Origin) (strategy.Included, error) {
	r.Tree = follow.Noted(ctx, r.Tree)
	flavor := r.Tree.Flavor()
	path := r.path(ref.Target, current)
	if !flavor.IsAbs(path) {
		return strategy.Included{}, &strategy.HintError{
			Problem: "`" + ref.Target + "` cannot be found from a file without a folder", Hint: "write an absolute path",
		}
	}
	if origin.Confine != "" && !r.reachable(path, origin.Confine) {
		return strategy.Included{}, outsideFrom(ref.Target)
	}
	data, real, err := readTrusted(r.Tree, path, origin.Confine, origin.Trusted)
	var outside *files.OutsideError
	if errors.As(err, &outside) && outside.Why == "" {
		return strategy.Included{}, outsideFrom(ref.Target)
	}
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
		return strategy.Included{}, &strategy.HintError{Problem: "the source `" + ref.Target + "` cannot be read: " + fileerror.Reason(err), Hint: hint}
	}
	if isSecret(r.Tree, ownGround(r.Tree, current.Name(), origin.Confine), real, data) {
		return strategy.Included{}, &strategy.HintError{
			Problem: "the source `" + ref.Target + "` is not read: it looks like a secret", Hint: "a text that is meant for a prompt can be kept under another name",
		}
	}
	return strategy.Included{Name: path, Data: data, Folder: flavor.Base(flavor.Dir(path))}, nil
}

// path makes the target absolute. Backslashes separate everywhere, so that a
// file written on Windows is found elsewhere too, unless such a name exists.
func (r Resolver) path(target string, current *diag.Source) string {
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

// reachable tells whether a path may be opened at all: by its name, or by the
// nearest folder above it that exists. A link out of the workspace must not tell
// which files are behind it.
func (r Resolver) reachable(path, root string) bool {
	flavor, within := r.Tree.Flavor(), confines(r.Tree, root)
	if !flavor.Inside(root, path) {
		_, _, err := files.StatWithin(r.Tree, path, within)
		return err == nil // whether it is there is not to be told
	}
	part, _ := files.Present(flavor, path, func(part string) bool {
		_, _, err := files.StatWithin(r.Tree, part, within)
		return !errors.Is(err, fs.ErrNotExist) || isLink(r.Tree, part)
	})
	_, _, err := files.StatWithin(r.Tree, part, within)
	return err == nil
}

func outsideFrom(target string) error {
	return &strategy.HintError{
		Problem: "`" + target + "` lies outside of the workspace",
		Hint:    "copy the file into the workspace; a workspace's strategies reach only its own files",
	}
}

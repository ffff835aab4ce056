package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/identity"
)

// Trust is the list of workspaces whose strategies may be recommended and run (docs/reference/trust.md). It lives in one file on the real
// disk, which only the user can read and write.
//
// A workspace is known by its real path, and by which folder that was: the file system, the number in it, the owner and when
// it was made. One that was removed or moved away and made anew, perhaps by somebody else, is not trusted. Trust is for that folder alone: it reaches
// neither a workspace inside it, which may be a stranger's checkout, nor one around it. A file that cannot be understood trusts
// nothing and is never overwritten.
type Trust struct {
	Path string     // the file; Paths.Trust; empty: there is no folder for it, nothing is trusted and nothing can be
	Tree files.Tree // where workspaces are, known by their paths alone; nil means the machine's own
}

// Trusted tells whether the workspace is trusted. With an error the answer is always no. A [LapsedTrustError] says that it once
// was.
func (t Trust) Trusted(root string) (bool, error) {
	list, err := t.read()
	if err != nil || len(list) == 0 {
		return false, err
	}
	resolved, err := t.tree().RealPath(root)
	if err != nil {
		return false, err
	}
	i := t.index(list, resolved)
	if i < 0 {
		return false, nil
	}
	if why := t.lapsed(list[i]); why != "" {
		return false, &LapsedTrustError{list[i].Path, why}
	}
	return true, nil
}

// TrustEntry is a workspace that the user trusted.
type TrustEntry struct {
	Path   string `json:"path"`
	Lapsed string `json:"why"` // why that no longer holds; empty: it does
}

// List returns all workspaces that the user trusted and did not revoke, in the order of their real paths. Without a file there
// are none.
func (t Trust) List() ([]TrustEntry, error) {
	list, err := t.read()
	if err != nil {
		return nil, err
	}
	var entries []TrustEntry
	for _, w := range list {
		entries = append(entries, TrustEntry{w.Path, t.lapsed(w)})
	}
	return entries, nil
}

// lapsed says why an entry no longer holds; empty: it does.
func (t Trust) lapsed(w trustedFolder) string {
	resolved, err := t.tree().RealPath(w.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the folder is gone"
	case err != nil:
		return "the folder cannot be looked at"
	case t.tree().Flavor().Key(resolved) != t.tree().Flavor().Key(w.Path):
		return "there is a link now, where the folder was"
	case t.Tree != nil:
		return ""
	}
	now, err := identity.Of(resolved)
	switch {
	case err != nil:
		return "the folder cannot be looked at"
	case !w.Known(): // somebody who guessed the path may have brought the list along
		return "it was not noted which folder that is"
	case now.Owner != w.Owner:
		return "it is somebody else's folder now"
	case !now.Same(w.Identity):
		return "another folder is in its place"
	}
	return ""
}

// Add trusts a workspace, which must exist. It returns the path that is now trusted, and whether it was not before.
func (t Trust) Add(ctx context.Context, root string) (resolved string, added bool, err error) {
	if resolved, err = t.tree().RealPath(root); err != nil {
		return "", false, err
	}
	info, err := t.tree().Stat(resolved)
	if err != nil {
		return "", false, err
	}
	if info.Kind != files.Folder {
		return "", false, fmt.Errorf("trust %s: only a folder can be trusted, and this is %s", resolved, info.Kind)
	}
	if !utf8.ValidString(resolved) {
		return "", false, fmt.Errorf("trust %q: the path is not valid UTF-8 and cannot be stored", resolved)
	}
	folder := trustedFolder{Path: resolved}
	if t.Tree == nil {
		if folder.Identity, err = identity.Of(resolved); err != nil {
			return "", false, err
		}
	}
	err = t.change(ctx, func(list []trustedFolder) ([]trustedFolder, bool) {
		i := t.index(list, resolved)
		if i < 0 {
			added = true
			return append(list, folder), true
		}
		added = t.lapsed(list[i]) != ""
		changed := list[i].Identity != folder.Identity
		list[i] = folder
		return list, changed
	})
	return resolved, added && err == nil, err
}

// Revoke takes trust back, also from a folder that is gone. It returns the path that it looked for, and whether it was
// on the list.
func (t Trust) Revoke(ctx context.Context, root string) (path string, removed bool, err error) {
	if path, err = t.tree().Abs(root); err != nil {
		return "", false, err
	}
	paths := []string{path}
	if resolved, err := t.tree().RealPath(root); err == nil {
		path = resolved
		paths = append(paths, resolved)
	}
	err = t.change(ctx, func(list []trustedFolder) ([]trustedFolder, bool) {
		for _, p := range paths {
			for i := t.index(list, p); i >= 0; i = t.index(list, p) { // somebody may have written it twice
				list = slices.Delete(list, i, i+1)
				removed = true
			}
		}
		return list, removed
	})
	return path, removed && err == nil, err
}

func (t Trust) tree() files.Tree {
	if t.Tree == nil {
		return files.OS()
	}
	return t.Tree
}

// index finds a path in the list, or returns -1. What is stored is compared as it is: were it resolved again, somebody who
// can replace a trusted folder by a link could pass trust on.
func (t Trust) index(list []trustedFolder, path string) int {
	f := t.tree().Flavor()
	key := f.Key(path)
	return slices.IndexFunc(list, func(w trustedFolder) bool { return f.Key(w.Path) == key })
}

// LapsedTrustError says that a workspace was trusted, and why that does not count for what is there now.
type LapsedTrustError struct {
	Path   string
	Reason string
}

func (e *LapsedTrustError) Error() string {
	return fmt.Sprintf("%s is no longer trusted, because %s: look at it, then run `pertain trust` there, or `pertain trust --revoke`", e.Path, e.Reason)
}

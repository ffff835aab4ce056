package settings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/files"
)

// Trust is the list of workspaces whose strategies may be recommended and run (CONTRACT §1). It lives in one file on the real
// disk, which only the user can read and write.
//
// A workspace is known by its real path. Trust is for that folder alone: it reaches neither a workspace inside it, which
// may be a stranger's checkout, nor one around it. A file that cannot be understood trusts nothing and is never overwritten.
type Trust struct {
	Path string     // the file; Paths.Trust; empty: there is no place for it, nothing is trusted and nothing can be
	Tree files.Tree // where workspaces are; nil means the machine's own
}

// maxTrust is how much of the trust file is read, in bytes.
const maxTrust = 4 << 20

// trustFile is the form of the file.
type trustFile struct {
	Version int      `json:"version"`
	Trusted []string `json:"trusted"`
}

// CorruptTrustError says that the trust file exists but cannot be understood.
type CorruptTrustError struct {
	Path   string
	Reason string
}

func (e *CorruptTrustError) Error() string {
	return fmt.Sprintf("the trust file %s cannot be used (%s), so no workspace is trusted: repair it, or delete it and run `pertain trust` in each workspace again", e.Path, e.Reason)
}

// List returns the real paths of all trusted workspaces, sorted. Without a file there are none.
func (t Trust) List() ([]string, error) {
	if t.Path == "" {
		return nil, nil
	}
	data, err := files.OS().ReadFile(t.Path, maxTrust)
	var large *files.TooLargeError
	var irregular *files.NotRegularError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.As(err, &large):
		return nil, &CorruptTrustError{t.Path, "it is too large"}
	case errors.As(err, &irregular):
		return nil, &CorruptTrustError{t.Path, "it is " + irregular.Kind.String()}
	case err != nil:
		return nil, err
	}
	var file trustFile
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil || file.Version < 1 {
		return nil, &CorruptTrustError{t.Path, "it is not the JSON that `pertain trust` writes"}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, &CorruptTrustError{t.Path, "something follows its end"}
	}
	if file.Version > 1 {
		return nil, &CorruptTrustError{t.Path, "a newer version of Pertain wrote it"}
	}
	slices.Sort(file.Trusted)
	return slices.Compact(file.Trusted), nil
}

// Trusted tells whether the workspace is trusted. With an error the answer is always no.
func (t Trust) Trusted(root string) (bool, error) {
	list, err := t.List()
	if err != nil || len(list) == 0 {
		return false, err
	}
	resolved, err := t.tree().RealPath(root)
	if err != nil {
		return false, err
	}
	return t.index(list, resolved) >= 0, nil
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
	err = t.change(ctx, func(list []string) ([]string, bool) {
		added = t.index(list, resolved) < 0
		return append(list, resolved), added
	})
	return resolved, added && err == nil, err
}

// Revoke takes trust back, also from a folder that is gone. It returns the path that it looked for, and whether it was
// trusted before.
func (t Trust) Revoke(ctx context.Context, root string) (path string, removed bool, err error) {
	if path, err = t.tree().Abs(root); err != nil {
		return "", false, err
	}
	paths := []string{path}
	if resolved, err := t.tree().RealPath(root); err == nil {
		path = resolved
		paths = append(paths, resolved)
	}
	err = t.change(ctx, func(list []string) ([]string, bool) {
		for _, p := range paths {
			if i := t.index(list, p); i >= 0 {
				list = slices.Delete(list, i, i+1)
				removed = true
			}
		}
		return list, removed
	})
	return path, removed && err == nil, err
}

// change rewrites the file under a lock, so that two calls at once do not lose an entry. The old content is read inside the
// lock.
func (t Trust) change(ctx context.Context, edit func([]string) ([]string, bool)) error {
	if t.Path == "" {
		return errors.New("there is no settings folder; set HOME to an absolute path")
	}
	target, err := files.OwnTarget(t.Path)
	if err != nil {
		return err
	}
	if err := target.MakeFolder(0o700); err != nil {
		return err
	}
	unlock, err := target.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	list, err := t.List()
	if err != nil {
		return err
	}
	list, changed := edit(list)
	if !changed {
		return nil
	}
	slices.Sort(list)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read the file
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(trustFile{Version: 1, Trusted: list}); err != nil {
		return err
	}
	return target.Write(b.Bytes(), 0o600)
}

func (t Trust) tree() files.Tree {
	if t.Tree == nil {
		return files.OS()
	}
	return t.Tree
}

// index finds a path in the list, or returns -1. What is stored is compared as it is: were it resolved again, somebody who
// can replace a trusted folder by a link could pass trust on.
func (t Trust) index(list []string, path string) int {
	f := t.tree().Flavor()
	key := f.Key(path)
	return slices.IndexFunc(list, func(p string) bool { return f.Key(p) == key })
}

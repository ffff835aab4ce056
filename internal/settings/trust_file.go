package settings

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
)

// maxTrust is how much of the trust file is read, in bytes.
const maxTrust = 4 << 20

// trustVersion is the form of the file: version 1 had only paths.
const trustVersion = 2

type trustFile struct {
	Version int             `json:"version"`
	Trusted []trustedFolder `json:"trusted"`
}

// trustedFolder is one entry. One of version 1 has no identity.
type trustedFolder struct {
	Path string `json:"path"`
	files.Identity
}

// UnmarshalJSON reads an entry of this version, or the path alone, as version 1 has it.
func (w *trustedFolder) UnmarshalJSON(data []byte) error {
	*w = trustedFolder{}
	type plain trustedFolder
	var into any = (*plain)(w)
	if bytes.HasPrefix(data, []byte(`"`)) {
		into = &w.Path
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if w.Path == "" || !w.Known() && w.Identity != (files.Identity{}) {
		return errors.New("an entry is not whole") // and must not pass for one of version 1
	}
	return nil
}

// MarshalJSON leaves out what is not known.
func (w trustedFolder) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	var err error
	if w.Known() {
		type plain trustedFolder
		err = encoder.Encode(plain(w))
	} else {
		err = encoder.Encode(map[string]string{"path": w.Path})
	}
	return b.Bytes(), err
}

// CorruptTrustError says that the trust file exists but cannot be understood.
type CorruptTrustError struct {
	Path   string
	Reason string
}

func (e *CorruptTrustError) Error() string {
	return fmt.Sprintf("the trust file %s cannot be used (%s), so no workspace is trusted: repair it, or delete it and run `pertain trust` in each workspace again", e.Path, e.Reason)
}

// LapsedTrustError says that a workspace was trusted, and why that does not count for what is there now.
type LapsedTrustError struct {
	Path   string
	Reason string
}

func (e *LapsedTrustError) Error() string {
	return fmt.Sprintf("%s is no longer trusted, because %s: look at it, then run `pertain trust` there, or `pertain trust --revoke`", e.Path, e.Reason)
}

// read gives the entries of the file in the order of their paths. Without a file there are none.
func (t Trust) read() ([]trustedFolder, error) {
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
	list, reason := parseTrust(data)
	if reason != "" {
		return nil, &CorruptTrustError{t.Path, reason}
	}
	return list, nil
}

// parseTrust reads the text of the file. A reason says why it cannot be used; then there is no list.
func parseTrust(data []byte) (list []trustedFolder, reason string) {
	var file trustFile
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&file)
	switch {
	case err == nil && file.Version > trustVersion:
		return nil, "a newer version of Pertain wrote it"
	case err != nil || file.Version < 1:
		return nil, "it is not the JSON that `pertain trust` writes"
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, "something follows its end"
	}
	slices.SortStableFunc(file.Trusted, func(a, b trustedFolder) int { return cmp.Compare(a.Path, b.Path) })
	return slices.Compact(file.Trusted), ""
}

// change rewrites the file under a lock, so that two calls at once do not lose an entry. The old content is read inside the
// lock.
func (t Trust) change(ctx context.Context, edit func([]trustedFolder) ([]trustedFolder, bool)) error {
	if t.Path == "" {
		return errors.New("there is no settings folder; set HOME to an absolute path")
	}
	target, unlock, err := files.LockOwn(ctx, t.Path)
	if err != nil {
		return err
	}
	defer unlock()
	list, err := t.read()
	if err != nil {
		return err
	}
	list, changed := edit(list)
	if !changed {
		return nil
	}
	slices.SortFunc(list, func(a, b trustedFolder) int { return cmp.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read the file
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(trustFile{Version: trustVersion, Trusted: list}); err != nil {
		return err
	}
	return target.Write(b.Bytes(), 0o600)
}

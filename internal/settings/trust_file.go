package settings

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/identity"
	"github.com/pertain-dev/pertain/internal/writing"
)

// maxTrust is how much of the trust file is read, in bytes.
const maxTrust = 4 << 20

// trustVersion is the form of the file: version 1 had only paths.
const trustVersion = 2

type trustFile struct {
	Version int             `json:"version"`
	Trusted []trustedFolder `json:"trusted"`
}

// trustedFolder is one entry. One of version 1 has no identity, and trusts nothing.
type trustedFolder struct {
	Path string `json:"path"`
	identity.Identity
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
	if w.Path == "" || !w.Known() && w.Identity != (identity.Identity{}) {
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

// file is the trust file as all of Pertain's own files are read and changed.
func (t Trust) file() writing.JSONFile[trustFile] {
	return writing.JSONFile[trustFile]{
		Path: t.Path, Limit: maxTrust, Newest: trustVersion, Version: func(f *trustFile) *int { return &f.Version },
		Command: "pertain trust", Remedy: "and run it in each workspace again",
	}
}

// read gives the entries of the file in the order of their paths. Without a file there are none.
func (t Trust) read() ([]trustedFolder, error) {
	if t.Path == "" {
		return nil, nil
	}
	file, err := t.file().Read()
	if err != nil {
		return nil, t.problem(err)
	}
	return file.entries(), nil
}

// problem says of a file that cannot be used what follows from that.
func (t Trust) problem(err error) error {
	var large *files.TooLargeError
	var irregular *files.NotRegularError
	var corrupt *writing.CorruptError
	switch {
	case errors.As(err, &large):
		return &CorruptTrustError{t.Path, "it is too large"}
	case errors.As(err, &irregular):
		return &CorruptTrustError{t.Path, "it is " + irregular.Kind.String()}
	case errors.As(err, &corrupt):
		return &CorruptTrustError{t.Path, corrupt.Reason}
	case errors.Is(err, syscall.ELOOP), errors.Is(err, files.ErrTooManyLinks): // which of them it is depends on what is known of the way
		return &CorruptTrustError{t.Path, fileerror.Reason(err)}
	}
	return err
}

// entries are those of the file, each once.
func (f *trustFile) entries() []trustedFolder {
	slices.SortStableFunc(f.Trusted, func(a, b trustedFolder) int { return cmp.Compare(a.Path, b.Path) })
	return slices.Compact(f.Trusted)
}

// change rewrites the file under a lock, so that two calls at once do not lose an entry.
func (t Trust) change(ctx context.Context, edit func([]trustedFolder) ([]trustedFolder, bool)) error {
	if t.Path == "" {
		return errors.New("there is no settings folder; set HOME to an absolute path")
	}
	err := t.file().Change(ctx, func(file *trustFile) (changed bool) {
		file.Trusted, changed = edit(file.entries())
		slices.SortFunc(file.Trusted, func(a, b trustedFolder) int { return cmp.Compare(a.Path, b.Path) })
		return changed
	})
	return t.problem(err)
}

package repository

import (
	"encoding/hex"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
)

// Tip is what is checked out: the reference of a branch, empty if there is none,
// and the commit that it leads to, empty if nothing is committed yet.
func (r *Repository) Tip() (ref, commit string, err error) {
	ref, _, err = r.head()
	if err != nil {
		return "", "", err
	}
	object, err := r.commit()
	return ref, hex.EncodeToString(object), err
}

// Info reads a file of the repository's folder info; empty if there is none.
func (r *Repository) Info(name string) (string, error) {
	data, err := files.OS().ReadFile(filepath.Join(r.Common, "info", name), maxInfo)
	if err != nil && !absent(err) {
		return "", unknown("its folder info cannot be read")
	}
	return string(data), nil
}

// maxInfo bounds a file of the folder info, in bytes.
const maxInfo = 1 << 20

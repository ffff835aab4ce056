package writing

import (
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
)

// Read reads what is in the place of the file: a regular file of so many bytes at most. It is reached as it is for being written, so that
// what somebody puts on the way meanwhile leads to no text from elsewhere, which would then be shown, or written here.
func (t Target) Read(limit int64) ([]byte, error) {
	folder, err := t.open(0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path)
	info, err := folder.Lstat(name)
	if err == nil {
		err = t.refuse(info)
	}
	if err != nil {
		return nil, err
	}
	f, err := folder.OpenFile(name, os.O_RDONLY|files.Nonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if !isAt(folder, name, f) {
		return nil, ErrChanged
	}
	return files.ReadOpen(f, t.path, limit)
}

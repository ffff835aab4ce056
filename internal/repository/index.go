package repository

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"crypto/sha256"
	"errors"
	"hash"
	"path/filepath"
	"time"
)

// Limits of an index.
const (
	maxIndex   = 64 << 20 // bytes of the file
	maxEntries = 500_000
	maxNames   = 64 << 20 // bytes of all paths together: version 4 tells them by each other
	maxPath    = 4096     // bytes of one path
)

// index is what git has noted of the files: what is to be committed next, and
// how each file was when it was last looked at.
type index struct {
	entries []entry // in order of path and stage
	width   int     // bytes of an object's name
	written time.Time
	sparse  bool // some entries are folders
}

// entry is one file of an index.
type entry struct {
	path     string // with slashes
	object   string
	mode     uint32
	flags    uint16
	extended uint16
	seconds  uint32 // when the file was changed last, as of the index
	nanos    uint32
	changed  uint32 // when that of the file was changed which is not its content, in seconds
	inode    uint32
	size     uint32
}

// Modes of entries.
const (
	modeType     = 0o170000
	modeRegular  = 0o100000
	modeLink     = 0o120000
	modeGitlink  = 0o160000
	modeFolder   = 0o040000
	modeExecuted = 0o111
)

func (e *entry) kind() uint32      { return e.mode & modeType }
func (e *entry) stage() int        { return int(e.flags>>12) & 3 }
func (e *entry) assumeValid() bool { return e.flags&0x8000 != 0 }
func (e *entry) skipped() bool     { return e.extended&0x4000 != 0 } // not checked out
func (e *entry) intended() bool    { return e.extended&0x2000 != 0 } // to be added, without a content yet

// newHash is that of objects with names of a width.
func newHash(width int) hash.Hash {
	if width == sha256.Size {
		return sha256.New()
	}
	return sha1.New() //nolint:gosec // git names objects by it
}

var errBadIndex = errors.New("the index cannot be understood")

// readIndex reads the index of the work tree. width is that of the last commit's
// name, 0 if there is none. Without a file it is empty.
func (r *Repository) readIndex(width int) (*index, error) {
	data, written, err := readWhole(filepath.Join(r.Folder, "index"), maxIndex)
	switch {
	case err != nil && absent(err):
		return &index{width: max(width, sha1.Size)}, nil
	case errors.Is(err, errTooLarge):
		return nil, unknown("its index is too large")
	case err != nil:
		return nil, unknown("its index cannot be read")
	}
	x, err := parseIndex(data, width)
	var told *UnknownError
	if err != nil && !errors.As(err, &told) {
		return nil, unknown("its index cannot be understood")
	}
	if err != nil {
		return nil, err
	}
	x.written = written
	return x, nil
}

// indexWidth finds out by the sum at the end of an index how wide the names of
// objects in it are. Git may have been told to leave the sum out.
func indexWidth(data []byte, width int) (int, error) {
	for _, w := range []int{sha1.Size, sha256.Size} {
		if len(data) < 12+w || width != 0 && width != w {
			continue
		}
		body, sum := data[:len(data)-w], data[len(data)-w:]
		if bytes.Equal(sum, make([]byte, w)) && width == w {
			return w, nil
		}
		h := newHash(w)
		h.Write(body)
		if bytes.Equal(h.Sum(nil), sum) {
			return w, nil
		}
	}
	return 0, errBadIndex
}

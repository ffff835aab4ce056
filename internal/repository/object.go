package repository

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// errNoObject says that an object is not where it was looked for.
var errNoObject = errors.New("there is no such object")

// errIrregular says that a path leads to something else than a regular file.
var errIrregular = errors.New("it is no regular file")

// treeOf is the tree of a commit.
func (r *Repository) treeOf(commit []byte) ([]byte, error) {
	text, err := r.looseCommit(commit)
	if errors.Is(err, errNoObject) {
		text, err = r.packedCommit(commit)
	}
	switch {
	case errors.Is(err, errNoObject):
		return nil, unknown("its last commit is not among its own objects")
	case err != nil:
		return nil, unknown("its last commit cannot be read")
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	name, ok := strings.CutPrefix(string(line), "tree ")
	tree := parseObject(name)
	if !ok || len(tree) != len(commit) {
		return nil, unknown("its last commit cannot be understood")
	}
	return tree, nil
}

// commitStart is how much of a commit is enough to see its tree, in bytes.
const commitStart = 128

// looseCommit is the start of a commit that is a file of its own.
func (r *Repository) looseCommit(name []byte) ([]byte, error) {
	text := hex.EncodeToString(name)
	f, err := openRegular(filepath.Join(r.Common, "objects", text[:2], text[2:]), true)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoObject
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unpacked, err := inflate(f, 2*commitStart, true)
	if err != nil {
		return nil, err
	}
	header, body, ok := bytes.Cut(unpacked, []byte{0})
	if !ok || !bytes.HasPrefix(header, []byte("commit ")) {
		return nil, errors.New("the object is no commit")
	}
	return body, nil
}

// inflate unpacks up to limit bytes. What is longer is an error unless its start
// is enough.
func inflate(from io.Reader, limit int64, start bool) ([]byte, error) {
	z, err := zlib.NewReader(bufio.NewReaderSize(from, 4096))
	if err != nil {
		return nil, err
	}
	defer func() { _ = z.Close() }()
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	if int64(len(out)) > limit {
		if start {
			return out[:limit], nil
		}
		return nil, errors.New("the object is too large")
	}
	return out, err
}

package repository

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/files"
)

// Branch is the one that is checked out. Empty without an error, none is.
func (r *Repository) Branch() (string, error) {
	ref, _, err := r.head()
	if err != nil || ref == "" {
		return "", err
	}
	return strings.TrimPrefix(ref, branches), nil
}

const branches = "refs/heads/"

// head reads HEAD: the reference of a branch, or an object.
func (r *Repository) head() (ref string, object []byte, err error) {
	path := filepath.Join(r.Folder, "HEAD")
	info, err := os.Lstat(path)
	if err != nil {
		return "", nil, unknown("its HEAD cannot be read")
	}
	var text string
	if info.Mode()&os.ModeSymlink != 0 { // as very old versions of git wrote it; any other link is nobody's HEAD
		text, err = os.Readlink(path)
		text = "ref: " + filepath.ToSlash(text)
	} else {
		text, err = files.GitLine(files.OS(), path)
	}
	if err != nil {
		return "", nil, unknown("its HEAD cannot be read")
	}
	ref, symbolic := strings.CutPrefix(text, "ref:")
	if !symbolic {
		if object = parseObject(text); object == nil {
			return "", nil, unknown("its HEAD cannot be understood")
		}
		return "", object, nil
	}
	ref = strings.TrimSpace(ref)
	if r.reftable() { // HEAD names no real branch then
		return "", nil, unknown("its references are kept in a reftable")
	}
	if !isBranch(ref) {
		return "", nil, unknown("its HEAD names no branch")
	}
	return ref, nil, nil
}

func (r *Repository) reftable() bool { return isFolder(filepath.Join(r.Common, "reftable")) }

// isBranch tells whether a reference is one of a branch, with a name that git
// allows: it becomes part of a path, and is shown to people.
func isBranch(ref string) bool {
	name, ok := strings.CutPrefix(ref, branches)
	if !ok || name == "" || !utf8.ValidString(name) || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return false
	}
	for _, c := range name {
		if c <= ' ' || c == 0x7f || strings.ContainsRune(`~^:?*[\`, c) {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// parseObject reads the name of an object, nil if it is none.
func parseObject(text string) []byte {
	if len(text) != 40 && len(text) != 64 {
		return nil
	}
	object, err := hex.DecodeString(text)
	if err != nil {
		return nil
	}
	return object
}

// commit is what HEAD leads to; nil without an error: nothing is committed yet.
func (r *Repository) commit() ([]byte, error) {
	ref, object, err := r.head()
	if err != nil {
		return nil, err
	}
	packed, err := files.OS().ReadFile(filepath.Join(r.Common, "packed-refs"), maxPackedRefs)
	if err != nil && !absent(err) {
		return nil, unknown("its references cannot be read")
	}
	if object == nil {
		if object, err = r.resolve(ref, string(packed)); object == nil || err != nil {
			return nil, err
		}
	}
	replaced := "refs/replace/" + hex.EncodeToString(object)
	if _, err := os.Lstat(filepath.Join(r.Common, filepath.FromSlash(replaced))); err == nil || packedObject(string(packed), replaced) != "" {
		return nil, unknown("its last commit was replaced by another")
	}
	return object, nil
}

// resolve follows a reference of a branch.
func (r *Repository) resolve(ref, packed string) ([]byte, error) {
	text, err := files.GitLine(files.OS(), filepath.Join(r.Common, filepath.FromSlash(ref)))
	switch {
	case err != nil && !absent(err):
		return nil, unknown("its references cannot be read")
	case err != nil:
		if text = packedObject(packed, ref); text == "" {
			return nil, nil
		}
	}
	object := parseObject(text)
	if object == nil {
		return nil, unknown("its references cannot be understood")
	}
	return object, nil
}

// packedObject finds a reference in the text of packed-refs; "": it is not there.
func packedObject(packed, ref string) string {
	for rest := packed; ; {
		at := strings.Index(rest, " "+ref)
		if at < 0 {
			return ""
		}
		begin := strings.LastIndexByte(rest[:at], '\n') + 1
		line, tail, _ := strings.Cut(rest[begin:], "\n")
		if object, name, _ := strings.Cut(strings.TrimRight(line, "\r"), " "); name == ref {
			return object
		}
		rest = tail
	}
}

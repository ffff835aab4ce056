package files

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Tree is a file system to read from. Its methods may be called from several goroutines. Errors are *fs.PathError, to be
// asked with errors.Is for fs.ErrNotExist and fs.ErrPermission, or one of the types below.
type Tree interface {
	// Flavor tells how paths of this tree are written.
	Flavor() Flavor
	// Abs makes a path absolute and clean; links are left alone.
	Abs(path string) (string, error)
	// ReadFile returns the content of a regular file of at most limit bytes; a limit of 0 or less means none.
	ReadFile(path string, limit int64) ([]byte, error)
	// ReadDir lists a folder, sorted by name in byte order.
	ReadDir(path string) ([]Entry, error)
	// Stat describes what a path leads to, links followed.
	Stat(path string) (Info, error)
	// RealPath returns the absolute path without links.
	RealPath(path string) (string, error)
	// Open finds what a path leads to, once and for all, and refuses it with an [*OutsideError] if it lies out of bounds. Nothing
	// is read yet: a pipe or a device is not touched. Every file and folder that the user did not name himself is read this way.
	Open(path string, bounds Bounds) (Opened, error)
}

// Kind is what a path leads to.
type Kind uint8

const (
	File    Kind = iota // a regular file
	Folder              // a folder
	Link                // a symbolic link: in an Entry only, never in an Info
	Special             // a pipe, socket or device
)

// String names the kind as a user would.
func (k Kind) String() string {
	switch k {
	case File:
		return "a file"
	case Folder:
		return "a folder"
	case Link:
		return "a link"
	default:
		return "a special file"
	}
}

// Entry is one name in a folder.
type Entry struct {
	Name string
	Kind Kind
}

// Info describes what a path leads to.
type Info struct {
	Kind    Kind
	Size    int64 // bytes, for a regular file
	ModTime time.Time

	// Whose it is, where the system tells (not on Windows).
	Foreign bool // it, or in Stat the link to it, belongs to neither the user nor root; who became root by sudo is still the user, too
	Shared  bool // others than its owner may write it
	Public  bool // everyone may write it
	Exposed bool // others than its owner may read it
}

// TooLargeError says that a file was not read because it has more bytes than the caller takes.
type TooLargeError struct {
	Path  string
	Size  int64 // bytes; Limit+1 if only that much is known
	Limit int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("read %s: the file is larger than %d bytes", e.Path, e.Limit)
}

// NotRegularError says that a path was not read or written because it leads to something else than a regular file.
type NotRegularError struct {
	Path string
	Kind Kind
}

func (e *NotRegularError) Error() string {
	return fmt.Sprintf("%s: it is %s, not a regular file", e.Path, e.Kind)
}

// What a memory tree says where the system has numbers for it.
var (
	errNotFolder = errors.New("not a folder")
	// ErrTooManyLinks is for links in a circle.
	ErrTooManyLinks = errors.New("too many links")
)

func pathError(op, path string, err error) error {
	return &fs.PathError{Op: op, Path: path, Err: err}
}

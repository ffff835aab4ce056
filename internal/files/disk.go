package files

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// OS returns the tree of the machine.
func OS() Tree { return disk{} }

type disk struct{}

// Flavor is the operating system's.
func (disk) Flavor() Flavor { return Native() }

// Abs is [Tree.Abs].
func (disk) Abs(path string) (string, error) { return filepath.Abs(path) }

// Stat is [Tree.Stat].
func (disk) Stat(path string) (Info, error) {
	if err := checkWay(path); err != nil {
		return Info{}, err
	}
	link, err := os.Lstat(path)
	if err != nil || link.Mode()&fs.ModeSymlink == 0 {
		if err != nil {
			return Info{}, err
		}
		return describe(link), nil
	}
	if err := checkLink(path); err != nil {
		return Info{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Info{}, err
	}
	out := describe(info)
	out.Foreign = out.Foreign || describe(link).Foreign // who made the link decides what is there
	return out, nil
}

func describe(info fs.FileInfo) Info {
	out := Info{Kind: KindOf(info.Mode()), ModTime: info.ModTime()}
	if out.Kind == File {
		out.Size = info.Size()
	}
	own(&out, info)
	return out
}

// KindOf is what a mode says; a link is told as such.
func KindOf(mode fs.FileMode) Kind {
	switch {
	case mode.IsRegular():
		return File
	case mode.IsDir():
		return Folder
	case mode&fs.ModeSymlink != 0:
		return Link
	default:
		return Special
	}
}

// ReadDir is [Tree.ReadDir].
func (disk) ReadDir(path string) ([]Entry, error) {
	if err := checkLink(path); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(path) // sorted by name
	if err != nil {
		return nil, err
	}
	return entries(list), nil
}

func entries(list []fs.DirEntry) []Entry {
	out := make([]Entry, len(list))
	for i, e := range list {
		out[i] = Entry{Name: e.Name(), Kind: KindOf(e.Type())}
	}
	return out
}

// Open is [Tree.Open].
func (disk) Open(path string, bounds Bounds) (Opened, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return openWithin(abs, bounds)
}

// ReadFile looks before it opens: opening a pipe would wait for a writer, and opening a device may do anything. What is
// opened in the end is looked at again, because another program may have put something else there in between.
func (disk) ReadFile(path string, limit int64) ([]byte, error) { return readRegular(path, limit) }

// ReadOpen reads an open file as ReadFile does; the path is for what is told.
func ReadOpen(f *os.File, path string, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkRegular(path, KindOf(info.Mode()), info.Size(), limit); err != nil {
		return nil, err
	}
	return readAll(path, info.Size(), limit, untilEnd(f))
}

// checkRegular tells whether a file may be read.
func checkRegular(path string, kind Kind, size, limit int64) error {
	if kind != File {
		return &NotRegularError{Path: path, Kind: kind}
	}
	if limit > 0 && size > limit {
		return &TooLargeError{Path: path, Size: size, Limit: limit}
	}
	return nil
}

// readAll reads to the end. read returns 0 at the end.
func readAll(path string, size, limit int64, read func([]byte) (int, error)) ([]byte, error) {
	most := int64(math.MaxInt64)
	if limit > 0 {
		most = limit + 1
	}
	data, err := appendUpTo(path, nil, size, most, read)
	if err == nil && limit > 0 && int64(len(data)) > limit {
		return nil, &TooLargeError{Path: path, Size: limit + 1, Limit: limit}
	}
	return data, err
}

// appendUpTo reads to the end, or so many bytes. The size is only what the file had: it may grow meanwhile, and files under
// /proc say 0.
func appendUpTo(path string, buffer []byte, size, most int64, read func([]byte) (int, error)) ([]byte, error) {
	buffer = slices.Grow(buffer, int(max(min(size, most, 1<<30)+1, 512)))
	for most > 0 {
		free := buffer[len(buffer):cap(buffer)]
		n, err := read(free[:min(int64(len(free)), most)])
		if err != nil {
			return nil, pathError("read", path, err)
		}
		if n == 0 {
			break
		}
		buffer = buffer[:len(buffer)+n]
		if most -= int64(n); len(buffer) == cap(buffer) {
			buffer = append(buffer, 0)[:len(buffer)]
		}
	}
	return buffer, nil
}

// untilEnd reads as readAll wants it.
func untilEnd(f io.Reader) func([]byte) (int, error) {
	return func(b []byte) (int, error) {
		n, err := f.Read(b)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	}
}

// RealPath is [Tree.RealPath].
func (disk) RealPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return realPath(abs)
}

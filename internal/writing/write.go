package writing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/pertain-dev/pertain/internal/files"
)

// Write replaces the file, or makes it; the folder must exist. A reader, or the machine after a power cut, finds either the old
// content or the new one, whole. The file gets the mode perm, whatever it had. What is there and is no regular file is an error.
func (t Target) Write(data []byte, perm fs.FileMode) error {
	folder, err := t.open(0)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path)
	before, err := folder.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		before = nil
	case err != nil:
		return err
	}
	if err := t.refuse(before); err != nil {
		return err
	}
	return written(folder, data, 0o600, func(temporary *os.File) error {
		if before != nil {
			keepOwner(temporary, before) // first: it may take bits of the mode away
		}
		return temporary.Chmod(perm)
	}, func(temporary string) error { return folder.Rename(temporary, name) })
}

// refuse says why what is in the place of the file is not replaced; nil: there is nothing.
func (t Target) refuse(before fs.FileInfo) error {
	switch {
	case before == nil:
		return nil
	case before.Mode()&fs.ModeSymlink != 0: // it was none when the target was looked for
		return &LeavingError{Path: t.named, Folder: filepath.Dir(t.path)}
	case !before.Mode().IsRegular():
		return &files.NotRegularError{Path: t.named, Kind: files.KindOf(before.Mode())}
	}
	return nil
}

// ReadOnlyError says that a file was not changed because its mode lets nobody write it, not its owner either: who made it so
// does not want it changed, though a file can be put in its place.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) Error() string {
	return e.Path + " is read-only; make it writable first, as with `chmod u+w`"
}

// refuseChange says why what is in the place of a file of people's own is not changed; nil: there is nothing.
func (t Target) refuseChange(before fs.FileInfo) error {
	if err := t.refuse(before); err != nil {
		return err
	}
	if before != nil && before.Mode().Perm()&0o200 == 0 {
		return &ReadOnlyError{t.named}
	}
	return nil
}

// Check says, without writing anything, why Put and Replace would refuse what is there now. Who writes several files asks it for
// all of them first. The folder may be missing.
func (t Target) Check() error {
	before, err := os.Lstat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.refuseChange(before)
}

// Create makes the file; the folder must exist. If there is something of that name, a link that leads nowhere too, that stays
// and the error is fs.ErrExist. The user's umask takes from perm.
func (t Target) Create(data []byte, perm fs.FileMode) error {
	folder, err := t.open(0)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path)
	if t.path != t.named { // there is a link, perhaps only above the file
		if _, err := os.Lstat(t.named); err == nil {
			return pathError("create", t.named, fs.ErrExist)
		}
	}
	return written(folder, data, perm, func(*os.File) error { return nil }, func(temporary string) error {
		err := folder.Link(temporary, name)
		if err == nil {
			return folder.Remove(temporary)
		}
		// Where the file system has no second names for files, nothing but looking first is left.
		if _, there := folder.Lstat(name); !errors.Is(there, fs.ErrNotExist) {
			return pathError("create", t.named, fs.ErrExist)
		}
		return folder.Rename(temporary, name)
	})
}

// Put makes the file as Create does, or replaces it as Write does, with the mode that it has. One that is read-only stays, with a
// [*ReadOnlyError].
func (t Target) Put(data []byte, perm fs.FileMode) error {
	err := t.Create(data, perm)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(t.path); err == nil {
		if err := t.refuseChange(info); err != nil {
			return err
		}
		perm = info.Mode().Perm()
	}
	return t.Write(data, perm)
}

// written writes a temporary file into a folder, and has it put in its place. With an error nothing of it stays.
func written(folder *os.Root, data []byte, perm fs.FileMode, prepare func(*os.File) error, insideAndOutside func(name string) error) (err error) {
	removeLeftovers(folder)
	f, name, err := createTemporary(folder, perm)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			_ = folder.Remove(name) // it may be in its place already
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := prepare(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // an open file cannot be renamed there; elsewhere it stays locked until it is
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err := insideAndOutside(name); err != nil {
		return err
	}
	return syncFolder(folder)
}

// Remove removes the file; one that is not there is no error. What is there and is no regular file stays, and is one.
func (t Target) Remove() error {
	folder, err := t.open(0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path)
	before, err := folder.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = t.refuse(before)
	}
	if err != nil {
		return err
	}
	return folder.Remove(name)
}

// RemoveFolder removes a folder that is empty; a link to one is none.
func RemoveFolder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &files.NotRegularError{Path: path, Kind: files.KindOf(info.Mode())}
	}
	return os.Remove(path)
}

func pathError(op, path string, err error) error {
	return &fs.PathError{Op: op, Path: path, Err: err}
}

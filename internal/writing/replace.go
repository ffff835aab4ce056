package writing

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrChanged says that a file is not, or no longer, what it was when somebody decided to write it.
var ErrChanged = errors.New("somebody changed it meanwhile")

// Replace writes the file as Write does, with the mode that it has, if its content is what before says; else it stays, and the
// error is ErrChanged. Where the system can exchange two files, what a person writes at the same moment is seen and stays as well;
// elsewhere the content is compared right before the file is put in its place.
func (t Target) Replace(before, data []byte) error {
	folder, old, err := t.openOld(before)
	if err != nil {
		return err
	}
	defer func() { _, _ = old.Close(), folder.Close() }()
	info, err := old.Stat()
	if err == nil {
		err = t.refuseChange(info)
	}
	if err != nil {
		return err
	}
	return written(folder, data, 0o600, func(temporary *os.File) error {
		keepOwner(temporary, info) // first: it may take bits of the mode away
		return temporary.Chmod(info.Mode().Perm())
	}, func(temporary string) error { return replace(folder, old, temporary, filepath.Base(t.path), before) })
}

// RemoveOnly removes the file if its content is what before says; else it stays, and the error is ErrChanged, as that of Replace.
func (t Target) RemoveOnly(before []byte) error {
	folder, old, err := t.openOld(before)
	if err != nil {
		return err
	}
	defer func() { _, _ = old.Close(), folder.Close() }()
	info, err := old.Stat()
	if err == nil {
		err = t.refuseChange(info)
	}
	if err != nil {
		return err
	}
	return remove(folder, old, filepath.Base(t.path), before)
}

// openOld opens the file, which has some content, and the folder that it is in.
func (t Target) openOld(before []byte) (folder *os.Root, old *os.File, err error) {
	within, err := t.open(0)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = within.Close()
		}
	}()
	name := filepath.Base(t.path)
	info, err := within.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, ErrChanged
	}
	if err == nil {
		err = t.refuse(info)
	}
	if err == nil {
		old, err = within.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		return nil, nil, err
	}
	if !isAt(within, name, old) || !holds(old, before) {
		_ = old.Close()
		return nil, nil, ErrChanged
	}
	return within, old, nil
}

// isAt tells whether an open file is what has a name in a folder.
func isAt(folder *os.Root, name string, f *os.File) bool {
	here, err := folder.Lstat(name)
	info, known := f.Stat()
	return err == nil && known == nil && os.SameFile(here, info)
}

// holds tells whether a content is all that an open file has.
func holds(f *os.File, content []byte) bool {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, int64(len(content))+1))
	return err == nil && bytes.Equal(data, content)
}

// replaceCompared puts a file in the place of another one that was just seen to be the same still.
func replaceCompared(folder *os.Root, old *os.File, temporary, name string, before []byte) error {
	if !isAt(folder, name, old) || !holds(old, before) {
		return ErrChanged
	}
	return folder.Rename(temporary, name)
}

// removeCompared removes a file that was just seen to be the same still.
func removeCompared(folder *os.Root, old *os.File, name string, before []byte) error {
	if !isAt(folder, name, old) || !holds(old, before) {
		return ErrChanged
	}
	_ = old.Close() // some systems remove no open file
	return folder.Remove(name)
}

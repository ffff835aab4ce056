package writing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// Append writes lines to the end of a log, which it makes if need be; the folder must exist, and the caller holds the lock. A
// process that is killed meanwhile leaves a part of its lines at most, and what is appended next begins on a line of its own.
// A log that would become larger than limit bytes is put aside first: it is then named with `.1` after it, in the place of
// the one that was put aside before. Nothing waits for the disk: a power cut may take the last lines.
func (t Target) Append(lines []byte, perm fs.FileMode, limit int64) error {
	folder, err := t.open(0)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path)
	before, err := folder.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		before, err = nil, nil
	}
	if err == nil {
		err = t.refuse(before)
	}
	if err != nil {
		return err
	}
	if before != nil && before.Size()+int64(len(lines)) > limit {
		if err := folder.Rename(name, name+asideSuffix); err != nil {
			return err
		}
		before = nil
	}
	f, err := folder.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|files.Nonblocking, perm)
	if err != nil {
		return err
	}
	defer f.Close()
	if before != nil && before.Size() > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], before.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	_, err = f.Write(lines)
	return err
}

// asideSuffix is what the name of a log that was put aside ends with.
const asideSuffix = ".1"

// Logged reads a log as Append keeps it: what was put aside, then the rest. The caller holds the lock.
func (t Target) Logged(limit int64) ([]byte, error) {
	var out []byte
	for _, path := range []string{t.path + asideSuffix, t.path} {
		data, err := files.OS().ReadFile(path, limit)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if out = append(out, data...); len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	return out, nil
}

// RemoveLogged removes a log and what was put aside of it.
func (t Target) RemoveLogged() error {
	aside := t
	aside.path += asideSuffix
	return errors.Join(t.Remove(), aside.Remove())
}

// maxOld is how many names of a folder RemoveOld looks at.
const maxOld = 100_000

// ChangedSince are the names of a folder's regular files that have a suffix and were written since a time, without the suffix, in
// their order.
func ChangedSince(folder, suffix string, since time.Time) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		info, err := e.Info()
		if ok && err == nil && info.Mode().IsRegular() && !info.ModTime().Before(since) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// RemoveOld removes the logs of a folder, files whose names end in suffix, that were not appended to since a time, with their
// locks and what was put aside of them. The folder is the user's own; links in it are left alone.
func RemoveOld(folder, suffix string, before time.Time) error {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxOld) // what there is of them
	var failed error
	for _, name := range names {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || !info.ModTime().Before(before) {
			continue
		}
		for _, each := range []string{name, name + asideSuffix, name + lockSuffix} {
			if err := root.Remove(each); err != nil && !errors.Is(err, fs.ErrNotExist) {
				failed = err
			}
		}
	}
	return failed
}

package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFileAtomic replaces a file on the real disk so that a reader, or the machine after a power cut, finds either the old
// content or the new one, whole. The folder must exist. A link is followed: what it leads to is replaced, the link stays.
// The file gets the mode perm, whatever it had.
func WriteFileAtomic(path string, data []byte, perm fs.FileMode) (err error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	dir, name := filepath.Split(path)
	f, err := os.CreateTemp(filepath.Clean(dir+"."), "."+name+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			_ = os.Remove(f.Name()) // it may be renamed already
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// RemoveLeftovers removes what processes that were killed in WriteFileAtomic left beside a file on the real disk. Nobody may
// be writing the file: whoever calls this holds the lock that all who write it take. What cannot be removed stays.
func RemoveLeftovers(path string) {
	dir, name := filepath.Split(LinkTarget(path))
	list, _ := os.ReadDir(filepath.Clean(dir + ".")) // what there is of it, if it cannot be read to the end
	for _, e := range list {
		number, ok := strings.CutPrefix(e.Name(), "."+name+".")
		number, temporary := strings.CutSuffix(number, ".tmp")
		if ok && temporary && number != "" && strings.Trim(number, "0123456789") == "" && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

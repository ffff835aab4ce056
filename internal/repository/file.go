package repository

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// file tells whether a file differs from its entry of the index.
func (c *comparison) file(f folder, path string, e *entry) (bool, error) {
	if e.assumeValid() {
		return false, nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		return c.undecided(unknown(reasonFile)) // it was there just now
	}
	if e.kind() == modeGitlink {
		if !info.IsDir() {
			return !e.skipped(), nil
		}
		return c.submodule(path, e)
	}
	changed, err := c.differs(f, path, e, info)
	if changed && e.skipped() { // whether git looks at it although it is there is a setting
		c.doubt(reasonSparse)
		return false, err
	}
	return changed, err
}

func (c *comparison) differs(f folder, path string, e *entry, info fs.FileInfo) (bool, error) {
	link := info.Mode()&fs.ModeSymlink != 0
	switch {
	case e.kind() == modeLink && !link && info.Mode().IsRegular() && runtime.GOOS == "windows":
		c.doubt(reasonContent) // links may be kept as files there
		return false, nil
	case link != (e.kind() == modeLink), !link && !info.Mode().IsRegular():
		return true, nil
	}
	mode := !link && runtime.GOOS != "windows" && (info.Mode()&0o100 != 0) != (e.mode&modeExecuted != 0)
	if mode {
		c.doubt(reasonMode)
	}
	if c.unchanged(e, info) {
		return false, nil
	}
	if uint32(info.Size()) != e.size && e.size != 0 && !link { // as git: what is noted is the size of the file, not that of its content in git
		return true, nil
	}
	if link {
		return c.linkDiffers(path, e)
	}
	return c.contentDiffers(path, e, f.conversion)
}

// unchanged tells whether a file is as it was when it was looked at, and was not
// changed at about the time when the index was written: that would not show.
func (c *comparison) unchanged(e *entry, info fs.FileInfo) bool {
	at := info.ModTime()
	if uint32(info.Size()) != e.size || e.seconds == 0 || uint32(at.Unix()) != e.seconds || e.nanos != 0 && uint32(at.Nanosecond()) != e.nanos {
		return false
	}
	if changed, inode, ok := identity(info); ok && (changed != e.changed || e.inode != 0 && inode != e.inode) {
		return false
	}
	return time.Unix(int64(e.seconds), 0).Before(c.index.written.Truncate(time.Second))
}

// submodule tells whether another commit is checked out in a submodule, or
// anything is changed in it.
func (c *comparison) submodule(path string, e *entry) (bool, error) {
	if !exists(filepath.Join(path, ".git")) {
		return false, nil // it is not checked out
	}
	sub, err := Open(path, false)
	if err != nil {
		return c.undecided(err)
	}
	commit, err := sub.commit()
	switch {
	case err != nil:
		return c.undecided(err)
	case commit == nil:
		return false, nil // as git
	case string(commit) != e.object:
		return true, nil
	}
	if c.submodules++; c.submodules > maxSubmodule || c.depth >= maxNested {
		c.doubt("there are too many submodules")
		return false, nil
	}
	changed, err := sub.hasChanges(c.ctx, c.look, c.depth+1)
	if changed && c.repository.ignoresSubmodules() {
		c.doubt(reasonNested)
		return false, nil
	}
	if errors.As(err, new(*UnknownError)) {
		return c.undecided(err)
	}
	return changed, err
}

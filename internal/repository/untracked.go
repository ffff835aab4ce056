package repository

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stranger tells whether a name that the index does not have is a change: a file
// that is not ignored, or a folder with one in it.
func (c *comparison) stranger(f folder, path, rel string, kind fs.FileMode, known map[string]*group) (bool, error) {
	if f.outside || !kind.IsRegular() && !kind.IsDir() && kind&fs.ModeSymlink == 0 || f.ignored.Names(rel, kind.IsDir()) {
		return false, nil
	}
	if looseNames() && spelledOtherwise(filepath.Base(path), known) {
		c.doubt(reasonSpelling)
		return false, nil
	}
	if kind.IsDir() {
		return c.strangers(f, path, rel)
	}
	if !c.rules.certain {
		c.doubt(reasonIgnored)
		return false, nil
	}
	return true, nil
}

// strangers looks for a file that is not ignored, in a folder without known ones.
func (c *comparison) strangers(f folder, path, rel string) (bool, error) {
	if isRepository(path) { // counts as one file, whatever is in it
		if !c.rules.certain {
			c.doubt(reasonIgnored)
		}
		return c.rules.certain, nil
	}
	f, err := c.enter(f, path, rel)
	if err != nil {
		return false, err
	}
	if f.depth > maxDepth {
		c.doubt(reasonDeep)
		return false, nil
	}
	dir, err := openFolder(path, false)
	if err != nil {
		c.doubt(reasonFolder)
		return false, nil
	}
	defer dir.Close()
	for {
		list, err := dir.ReadDir(256)
		for _, item := range list {
			if err := c.more(); err != nil {
				return false, err
			}
			if strings.EqualFold(item.Name(), ".git") {
				continue
			}
			if changed, err := c.stranger(f, filepath.Join(path, item.Name()), rel+"/"+item.Name(), item.Type(), nil); changed || err != nil {
				return changed, err
			}
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			c.doubt(reasonFolder)
			return false, nil
		}
	}
}

// spelledOtherwise tells whether a name may be that of a known file, in a file
// system that knows it by several spellings.
func spelledOtherwise(name string, known map[string]*group) bool {
	plain := true
	for i := range len(name) {
		plain = plain && name[i] < 0x80
	}
	for other := range known {
		if !plain || strings.EqualFold(name, other) {
			return true
		}
	}
	return false
}

func isRepository(path string) bool {
	if !exists(filepath.Join(path, ".git")) {
		return false
	}
	r, err := Open(path, false)
	if err != nil {
		return false
	}
	return exists(filepath.Join(r.Folder, "HEAD")) && isFolder(filepath.Join(r.Common, "objects"))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

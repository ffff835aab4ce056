package writing

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// scratchPrefix begins the names of folders that processes make for themselves; sixteen hexadecimal digits are after it, as in
// the name of a file that is being written.
const scratchPrefix = "pertain-"

// scratchLock is locked for as long as the process that made the folder lives.
const scratchLock = "lock"

// Scratch makes a folder for this process alone, with these files in it, by their paths with slashes; a path that ends
// with a slash and has no text is a folder. It lies where the system keeps such things, and never inside of avoid. The caller
// removes it; what a process left that was killed is removed here, since it may hold what nobody else should see.
func Scratch(avoid string, texts map[string]string) (dir string, remove func(), err error) {
	parent := os.TempDir()
	if !filepath.IsAbs(parent) || files.Inside(avoid, parent) {
		if parent, err = os.UserCacheDir(); err != nil {
			return "", nil, err
		}
	}
	folder, err := os.OpenRoot(parent)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = folder.Close() }()
	if crashUnlocks {
		sweepScratch(folder)
	}
	name, unlock, err := makeScratch(folder)
	if err != nil {
		return "", nil, err
	}
	whole := filepath.Join(parent, name)
	remove = func() {
		unlock()
		_ = os.RemoveAll(whole)
	}
	dir = filepath.Join(whole, "files")
	err = os.Mkdir(dir, 0o700)
	for name, text := range texts {
		if err != nil {
			break
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if name[len(name)-1] == '/' {
			err = os.MkdirAll(path, 0o700)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}

// makeScratch makes an empty folder and locks it. Where the system has no locks, nobody takes it for one that was left.
func makeScratch(folder *os.Root) (name string, unlock func(), err error) {
	for range 100 {
		name = scratchName()
		if err = folder.Mkdir(name, 0o700); errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		made, opening := folder.OpenRoot(name)
		if opening != nil {
			err = opening
			continue
		}
		unlock, err = tryLock(made, scratchLock)
		_ = made.Close()
		switch {
		case err == nil:
			return name, unlock, nil
		case errors.Is(err, errLocked) || errors.Is(err, fs.ErrNotExist):
			continue // somebody took it for one that was left before it was locked
		default:
			return name, func() {}, nil
		}
	}
	return "", nil, err
}

// sweepScratch removes folders of processes that are no more. It looks at names alone, but for those that are Pertain's.
func sweepScratch(folder *os.Root) {
	list, err := folder.Open(".")
	if err != nil {
		return
	}
	names, _ := list.Readdirnames(-1) // those that could be read are some
	_ = list.Close()
	for _, name := range names {
		if !isScratchName(name) {
			continue
		}
		if info, err := folder.Lstat(name); err != nil || !info.IsDir() || !isOwn(info) {
			continue
		}
		left, err := folder.OpenRoot(name)
		if err != nil {
			continue
		}
		unlock, err := tryLock(left, scratchLock)
		_ = left.Close()
		if err != nil {
			continue
		}
		unlock()
		_ = folder.RemoveAll(name)
	}
}

func scratchName() string {
	var number [temporaryDigits / 4]byte
	_, _ = rand.Read(number[:]) // never fails
	random := hex.EncodeToString(number[:])
	return scratchPrefix + random + checksum(random)
}

// isScratchName tells whether a folder was named by [Scratch], and not by somebody who likes the same names.
func isScratchName(name string) bool {
	digits, ok := strings.CutPrefix(name, scratchPrefix)
	return ok && len(digits) == temporaryDigits && checksum(digits[:temporaryDigits/2]) == digits[temporaryDigits/2:]
}

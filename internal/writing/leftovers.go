package writing

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// A file that is being written is named `.pertain-`, sixteen hexadecimal digits, `.tmp`, whatever it is to become: that name may
// be as long as the system allows. The first half of the digits is random, the second a checksum of it: a file that somebody
// else gave a name of that form has not the right one, and is no leftover.
const (
	temporaryPrefix = ".pertain-"
	temporarySuffix = ".tmp"
	temporaryDigits = 16
)

// maxSwept is how many names of a folder are looked at for what dead processes left. Large folders are not Pertain's.
const maxSwept = 4096

// createTemporary makes an empty file with a name of its own in a folder and keeps it locked, where the system can, for as
// long as it is open: that tells it from what a process left that was killed.
func createTemporary(folder *os.Root, perm fs.FileMode) (f *os.File, name string, err error) {
	for range 100 {
		name = temporaryName()
		f, err = folder.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		if claimed(f) {
			return f, name, nil
		}
		// Somebody took it for a leftover before it was locked.
		f.Close()
		_ = folder.Remove(name)
	}
	return nil, "", pathError("create", name, fs.ErrExist)
}

// temporaryName is a name for a file that is being written.
func temporaryName() string {
	var number [temporaryDigits / 4]byte
	_, _ = rand.Read(number[:]) // never fails
	random := hex.EncodeToString(number[:])
	return temporaryPrefix + random + checksum(random) + temporarySuffix
}

// checksum is the second half of the digits of such a name.
func checksum(random string) string {
	sum := sha256.Sum256([]byte("pertain temporary " + random))
	return hex.EncodeToString(sum[:])[:temporaryDigits-len(random)]
}

// isTemporary tells a name that createTemporary gives.
func isTemporary(name string) bool {
	digits, ok := strings.CutPrefix(name, temporaryPrefix)
	digits, ends := strings.CutSuffix(digits, temporarySuffix)
	return ok && ends && len(digits) == temporaryDigits && strings.Trim(digits, "0123456789abcdef") == "" &&
		digits[temporaryDigits/2:] == checksum(digits[:temporaryDigits/2])
}

// removeLeftovers removes what processes that were killed while they wrote left in a folder: of this user, and of nobody who
// is still alive. What cannot be removed stays.
func removeLeftovers(folder *os.Root) {
	dir, err := folder.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxSwept) // what there is of them
	for _, name := range names {
		if !isTemporary(name) {
			continue
		}
		if info, err := folder.Lstat(name); err != nil || !info.Mode().IsRegular() || !isOwn(info) {
			continue
		}
		removeLeftover(folder, name)
	}
}

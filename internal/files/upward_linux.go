package files

import (
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// holding are those of some folders, each above the one before it up to the root of all, that may hold one of the names. The way down
// is gone once, from folder to folder: to look at each by its path takes a time that grows with the square of how deep they are. From
// a folder on that cannot be opened, nobody knows.
func holding(folders []string, names []string) []string {
	at, err := openFolder(unix.AT_FDCWD, folders[len(folders)-1])
	if err != nil {
		return folders
	}
	var out []string // the farthest first
	for i := len(folders) - 1; ; i-- {
		if mayHold(at, names) {
			out = append(out, folders[i])
		}
		if i == 0 {
			_ = unix.Close(at)
			break
		}
		next, err := openFolder(at, strings.TrimPrefix(folders[i-1][len(folders[i]):], "/"))
		_ = unix.Close(at)
		if err != nil {
			return append(folders[:i:i], reversed(out)...)
		}
		at = next
	}
	return reversed(out)
}

func reversed(list []string) []string {
	slices.Reverse(list)
	return list
}

// openFolder holds a folder without reading it.
func openFolder(at int, path string) (fd int, err error) {
	err = systemcall.Retry(func() (err error) {
		fd, err = unix.Openat(at, path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	return fd, err
}

func mayHold(folder int, names []string) bool {
	for _, name := range names {
		var st unix.Stat_t
		err := systemcall.Retry(func() error { return unix.Fstatat(folder, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
		if err != unix.ENOENT { //nolint:errorlint // it is the system's own
			return true
		}
	}
	return false
}

// realNow is where a path of something that is there leads, by a single question: to look at each name of a long way takes long.
func realNow(path string) (string, bool) {
	real, err := realPath(path)
	return real, err == nil
}

// isPlain tells whether a folder is there, and no link is on the way to it, by a single question.
func isPlain(folder string) bool {
	fd := -1
	err := systemcall.Retry(func() (err error) {
		fd, err = unix.Openat2(unix.AT_FDCWD, folder, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
		return err
	})
	if err == nil {
		_ = unix.Close(fd)
	}
	return err == nil
}

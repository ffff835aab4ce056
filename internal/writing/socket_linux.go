package writing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// OwnSocket makes a place for a socket: a folder that nobody else can enter, held by this process until release, in which
// nothing has the name. What a process that was killed left there goes. ErrSocketTaken: another process holds the folder.
func OwnSocket(folder, name string) (path string, release func(), err error) {
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	fd, err := unix.Open(folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", nil, pathError("open", folder, err)
	}
	held := os.NewFile(uintptr(fd), folder)
	release = func() { _ = held.Close() }
	path = filepath.Join(folder, name)
	if err := takeSocket(held, folder, name); err != nil {
		release()
		return "", nil, err
	}
	return path, release, nil
}

// takeSocket holds an open folder, and frees a name in it.
func takeSocket(held *os.File, folder, name string) error {
	var st unix.Stat_t
	fd := int(held.Fd())
	if err := unix.Fstat(fd, &st); err != nil {
		return pathError("stat", folder, err)
	}
	if int64(st.Uid) != int64(os.Geteuid()) || st.Mode&0o077 != 0 {
		return fmt.Errorf("%s is not yours alone; it has to have mode 700", folder)
	}
	if err := flock(held); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrSocketTaken
		}
		return pathError("lock", folder, err)
	}
	switch err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); {
	case errors.Is(err, unix.ENOENT):
		return nil
	case err != nil:
		return pathError("stat", name, err)
	case st.Mode&unix.S_IFMT != unix.S_IFSOCK:
		return fmt.Errorf("%s is no socket; remove it", filepath.Join(folder, name))
	}
	if err := unix.Unlinkat(fd, name, 0); err != nil {
		return pathError("remove", name, err)
	}
	return nil
}

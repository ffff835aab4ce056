//go:build unix

package identity

import (
	"os"
	"strconv"
	"syscall"
)

// Of tells what is at a path, which may be no link.
func Of(path string) (Identity, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Identity{}, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}, nil
	}
	device := fileSystem(path)
	if device == "" {
		device = "device " + strconv.FormatUint(uint64(st.Dev), 16)
	}
	return Identity{
		Device: device,
		Inode:  strconv.FormatUint(uint64(st.Ino), 10),
		Owner:  strconv.FormatUint(uint64(st.Uid), 10),
		Birth:  birth(path, st),
	}, nil
}

// Own tells whether it is this user's.
func (id Identity) Own() bool { return id.Owner == strconv.Itoa(os.Geteuid()) }

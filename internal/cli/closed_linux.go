package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// shells are what starts a program with standard input or output closed, by `<&-` and
// `>&-`. None of them opens the null device for both reading and writing, unless told to
// by `<>`.
var shells = []string{"ash", "bash", "busybox", "dash", "fish", "ksh", "ksh93", "mksh", "rbash", "sh", "zsh"}

// outputClosed tells whether the caller has closed standard output.
func outputClosed() bool { return closed(1) }

// inputClosed tells whether the caller has closed standard input.
func inputClosed() bool { return closed(0) }

// closed tells whether the caller has closed a descriptor. Before the program begins,
// Go opens the null device in its place, for reading and writing; other programs that
// discard output, Python's subprocess among them, do the same on purpose. So it counts
// only where the parent has none either, or is a shell that has another.
func closed(descriptor int) bool {
	var st unix.Stat_t
	if unix.Fstat(descriptor, &st) != nil || !isNull(st.Mode, st.Rdev) {
		return false
	}
	if flags, err := unix.FcntlInt(uintptr(descriptor), unix.F_GETFL, 0); err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	parent := os.Getppid()
	info, err := os.Stat(fmt.Sprintf("/proc/%d/fd/%d", parent, descriptor))
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(fmt.Sprintf("/proc/%d/fd", parent)) // else the parent is gone
		return err == nil && parent > 1
	}
	if err != nil {
		return false
	}
	if theirs, ok := info.Sys().(*syscall.Stat_t); !ok || isNull(theirs.Mode, theirs.Rdev) {
		return false
	}
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	return err == nil && slices.Contains(shells, strings.TrimSpace(string(name)))
}

// isNull tells the null device by its number.
func isNull(mode uint32, device uint64) bool {
	return mode&unix.S_IFMT == unix.S_IFCHR && unix.Major(device) == 1 && unix.Minor(device) == 3
}

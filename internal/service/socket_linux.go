package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/writing"
)

// Dial connects to the service, which gets wait for it. Both the socket and who
// listens there must be the user's.
func (p Endpoint) Dial(ctx context.Context, wait time.Duration) (*Conn, error) {
	if !ownAlone(p.Folder(), fs.ModeDir) {
		if _, err := os.Lstat(p.Folder()); errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, errOpenFolder
	}
	if !ownAlone(p.Socket(), fs.ModeSocket) {
		if _, err := os.Lstat(p.Socket()); errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, errOpenSocket
	}
	dialer := net.Dialer{Timeout: wait}
	conn, err := dialer.DialContext(ctx, "unix", p.Socket())
	if err != nil {
		return nil, err
	}
	if _, err := peer(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return command(conn), nil
}

// Listener is the service's end of the socket.
type Listener struct {
	net     net.Listener
	release func()
}

// Listen makes the socket. ErrTaken: another service has it.
func (p Endpoint) Listen(ctx context.Context) (*Listener, error) {
	path, release, err := writing.OwnSocket(p.Folder(), filepath.Base(p.Socket()))
	if err != nil {
		return nil, err
	}
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		var failed error
		// The mode of an unbound socket is that of its file, so that there is no moment at which others could connect.
		if err := raw.Control(func(fd uintptr) { failed = unix.Fchmod(int(fd), 0o600) }); err != nil {
			return err
		}
		return failed
	}}
	socket, err := config.Listen(ctx, "unix", path)
	if err != nil {
		release()
		return nil, err
	}
	if !ownAlone(path, fs.ModeSocket) {
		_ = socket.Close()
		release()
		return nil, errOpenSocket
	}
	return &Listener{net: socket, release: release}, nil
}

// peer is the process at the other end, if it is of this user.
func peer(conn net.Conn) (pid int, err error) {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return 0, errStranger
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, err
	}
	var who *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) { who, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	if int64(who.Uid) != int64(os.Geteuid()) {
		return 0, errStranger
	}
	return int(who.Pid), nil
}

// sameFiles tells whether a process sees the same files under the same names: one in a
// container or a sandbox does not, and an answer about its folders would be about others.
func sameFiles(pid int) bool {
	if pid <= 0 {
		return false
	}
	theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/mnt", pid))
	if err != nil {
		return false
	}
	ours, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil || ours != theirs {
		return false
	}
	root, err := os.Stat(fmt.Sprintf("/proc/%d/root", pid))
	if err != nil {
		return false
	}
	own, err := os.Stat("/")
	return err == nil && os.SameFile(root, own)
}

// Build tells builds of the program apart: the file that this process runs.
func Build() string {
	var st unix.Stat_t
	if err := unix.Stat("/proc/self/exe", &st); err != nil {
		return ""
	}
	return fmt.Sprintf("%x.%x.%x.%x", st.Dev, st.Ino, st.Size, st.Mtim.Nano())
}

// Outdated tells whether the program's file is another one by now.
func Outdated(path string) bool {
	now, err := os.Stat(path)
	if err != nil {
		return false // it is being replaced, or gone for good
	}
	own, err := os.Stat("/proc/self/exe")
	return err == nil && !os.SameFile(now, own)
}

// Seal keeps what this process has read out of files: there are no core dumps, and
// other programs of the user cannot look into it.
func Seal() {
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// Used is the memory of this process that is resident, in bytes, and the time that it
// has had of the processors, in seconds.
func Used() (memory int, cpu float64) {
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		var size, resident int
		if n, err := fmt.Sscan(string(text), &size, &resident); err == nil && n == 2 {
			memory = resident * os.Getpagesize()
		}
	}
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) == nil {
		cpu = time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	}
	return memory, cpu
}

package follow

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/systemcall"
)

// systemState is what Linux knows beside what all systems do.
type systemState struct {
	device, inode uint64
	owner, group  uint32
	names         uint64 // that a file has: with several, it can be written under another one
	inodeChanged  int64  // when anything of it was changed, in nanoseconds since 1970; no program can set it
}

func (s systemState) sameThing(now systemState) bool {
	return s.device == now.device && s.inode == now.inode && s.owner == now.owner && s.group == now.group
}

// deviceNumber tells file systems apart.
func (s systemState) deviceNumber() uint64 { return s.device }

func (s systemState) sameState(now systemState) bool { return s.inodeChanged == now.inodeChanged }

func (s systemState) touched(int64) int64 { return s.inodeChanged }

// elsewhere tells whether a file can be written under a name that is not known.
func (s systemState) elsewhere() bool { return s.names > 1 }

// stateOf looks without os.Lstat, which takes twice the time: it is done for every file, again and again.
func stateOf(path string) fileState {
	s := lstat(path)
	if s.kind != files.Link {
		return s
	}
	target, err := os.Readlink(path)
	if err != nil { // it has just gone
		var number syscall.Errno
		errors.As(err, &number)
		return fileState{kind: missing, problem: number}
	}
	s.target = target
	return s
}

// lstat does not read where links lead: a link that leads elsewhere is another one.
func lstat(path string) fileState {
	var st syscall.Stat_t
	if err := systemcall.Retry(func() error { return syscall.Lstat(path, &st) }); err != nil {
		return fileState{kind: missing, problem: err}
	}
	return fileState{
		kind: kindOf(st.Mode), mode: st.Mode, size: st.Size, changed: st.Mtim.Nano(),
		system: systemState{uint64(st.Dev), st.Ino, st.Uid, st.Gid, uint64(st.Nlink), st.Ctim.Nano()},
	}
}

func kindOf(mode uint32) files.Kind {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return files.File
	case syscall.S_IFDIR:
		return files.Folder
	case syscall.S_IFLNK:
		return files.Link
	default:
		return files.Special
	}
}

// processorTime is what a function takes of a processor. A clock would run on while other programs have it, and on a busy machine
// tell many times as much.
func processorTime(do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() time.Duration {
		const thread = 1 // RUSAGE_THREAD
		var usage syscall.Rusage
		_ = syscall.Getrusage(thread, &usage) // it cannot fail
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	began := used()
	do()
	return used() - began
}

//go:build !linux

package follow

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// systemState lets the system compare.
type systemState struct{ info fs.FileInfo }

func (s systemState) sameThing(now systemState) bool {
	return s.info == nil || now.info == nil || os.SameFile(s.info, now.info)
}

// deviceNumber tells file systems apart; here it is not known.
func (systemState) deviceNumber() uint64 { return 0 }

func (systemState) sameState(systemState) bool { return true }

func (systemState) touched(changed int64) int64 { return changed }

// elsewhere tells whether a file can be written under a name that is not known. Files are looked at here in any case.
func (systemState) elsewhere() bool { return false }

func stateOf(path string) fileState {
	s := lstat(path)
	if s.kind == files.Link {
		var err error
		if s.target, err = os.Readlink(path); err != nil {
			return noState(err)
		}
	}
	return s
}

// lstat does not read where links lead: a link that leads elsewhere is another one.
func lstat(path string) fileState {
	info, err := os.Lstat(path)
	if err != nil {
		return noState(err)
	}
	return fileState{
		kind: files.KindOf(info.Mode()), mode: uint32(info.Mode()), size: info.Size(), changed: info.ModTime().UnixNano(),
		system: systemState{info},
	}
}

func noState(err error) fileState {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return fileState{kind: missing, problem: fs.ErrInvalid} // such as a path that no system takes
	}
	return fileState{kind: missing, problem: number}
}

// processorTime is at most what a function takes of a processor: how long it ran.
func processorTime(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

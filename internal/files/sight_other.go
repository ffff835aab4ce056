//go:build !linux

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// systemSight lets the system compare.
type systemSight struct{ info fs.FileInfo }

func (s systemSight) sameThing(now systemSight) bool {
	return s.info == nil || now.info == nil || os.SameFile(s.info, now.info)
}

// deviceNumber tells file systems apart; here it is not known.
func (systemSight) deviceNumber() uint64 { return 0 }

func (systemSight) sameState(systemSight) bool { return true }

func (systemSight) touched(changed int64) int64 { return changed }

// elsewhere tells whether a file can be written under a name that is not known. Files are looked at here in any case.
func (systemSight) elsewhere() bool { return false }

func see(path string) sight {
	s := glance(path)
	if s.kind == Link {
		var err error
		if s.target, err = os.Readlink(path); err != nil {
			return unseen(err)
		}
	}
	return s
}

// glance does not read where links lead: a link that leads elsewhere is another one.
func glance(path string) sight {
	info, err := os.Lstat(path)
	if err != nil {
		return unseen(err)
	}
	return sight{
		kind: kindOf(info.Mode()), mode: uint32(info.Mode()), size: info.Size(), changed: info.ModTime().UnixNano(),
		system: systemSight{info},
	}
}

func unseen(err error) sight {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return sight{kind: missing, problem: fs.ErrInvalid} // such as a path that no system takes
	}
	return sight{kind: missing, problem: number}
}

// processorTime is at most what a function takes of a processor: how long it ran.
func processorTime(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

package writing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// lockWait is how long Lock tries. Who holds it only rewrites a small file.
const lockWait = 10 * time.Second

// lockSuffix is what the name of a lock has after that of its file.
const lockSuffix = ".lock"

// errLocked is what tryLock says while another holds the lock.
var errLocked = errors.New("locked")

// LockOwn is the [OwnTarget] of a path, locked, in a folder that is made if need be: for files that several processes change.
func LockOwn(ctx context.Context, path string) (target Target, unlock func(), err error) {
	if target, err = OwnTarget(path); err != nil {
		return target, nil, err
	}
	if err := target.MakeFolder(0o700); err != nil {
		return target, nil, err
	}
	unlock, err = target.Lock(ctx)
	return target, unlock, err
}

// Lock takes the lock of the file between processes, and between goroutines of this one; the folder must exist. It waits for
// who has it, until ctx ends or ten seconds are over. The lock ends with unlock or with the process, so a crash leaves nothing
// locked; an empty file, named like the target with `.lock` after it, stays. It is never made through a link.
func (t Target) Lock(ctx context.Context) (unlock func(), err error) {
	folder, err := t.open(0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path) + lockSuffix
	deadline := time.NewTimer(lockWait)
	defer deadline.Stop()
	for {
		if err := lockable(folder, name, t.named+lockSuffix); err != nil {
			return nil, err
		}
		unlock, err := tryLock(folder, name)
		if err == nil {
			return unlock, nil
		}
		if !errors.Is(err, errLocked) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline.C:
			return nil, fmt.Errorf("lock %s: another process has held it for %v", t.named+lockSuffix, lockWait)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// RemoveLock removes the empty file that a lock has left, once nobody uses it any more.
func (t Target) RemoveLock() error {
	t.named, t.path = t.named+lockSuffix, t.path+lockSuffix
	return t.Remove()
}

// Locked tells whether a process holds the lock of a file of the user's own.
func Locked(path string) bool {
	t, err := OwnTarget(path)
	if err != nil {
		return false
	}
	folder, err := t.open(0)
	if err != nil {
		return false
	}
	defer func() { _ = folder.Close() }()
	name := filepath.Base(t.path) + lockSuffix
	if info, err := folder.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	unlock, err := tryLock(folder, name)
	if err == nil {
		unlock()
	}
	return errors.Is(err, errLocked)
}

// lockable refuses what stands where the lock would be and is none.
func lockable(folder *os.Root, name, path string) error {
	info, err := folder.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return &LinkedLockError{Path: path}
	case !info.Mode().IsRegular():
		return &files.NotRegularError{Path: path, Kind: files.KindOf(info.Mode())}
	}
	return nil
}

// LinkedLockError says that a link stands where a lock would be.
type LinkedLockError struct{ Path string }

func (e *LinkedLockError) Error() string {
	return e.Path + " is a link, and the lock is never made through one; remove it"
}

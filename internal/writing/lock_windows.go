package writing

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// errSharing is ERROR_SHARING_VIOLATION, which the standard library does not name.
const errSharing = syscall.Errno(32)

// crashUnlocks tells that a lock ends with its process, however that ends.
const crashUnlocks = true

// tryLock opens the file so that nobody else can until it is closed. A link is opened itself, and is then no lock.
func tryLock(folder *os.Root, name string) (func(), error) {
	path := filepath.Join(folder.Name(), name)
	wide, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, pathError("lock", path, err)
	}
	const shareNothing = 0
	handle, err := syscall.CreateFile(wide, syscall.GENERIC_READ|syscall.GENERIC_WRITE, shareNothing, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|syscall.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if errors.Is(err, errSharing) {
		return nil, errLocked
	}
	if err != nil {
		return nil, pathError("lock", path, err)
	}
	return func() { _ = syscall.CloseHandle(handle) }, nil
}

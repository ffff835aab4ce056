package files

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// lockWait is how long Lock tries. Who holds it only rewrites a small file.
const lockWait = 10 * time.Second

// errLocked is what tryLock says while another holds the lock.
var errLocked = errors.New("locked")

// Lock takes a lock between processes, and between goroutines of this one, that is named by a file on the real disk; the
// folder must exist. It waits for who has it, until ctx ends or ten seconds are over. The lock ends with unlock or with the
// process, so a crash leaves nothing locked; the empty file stays.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	deadline := time.NewTimer(lockWait)
	defer deadline.Stop()
	for {
		unlock, err := tryLock(path)
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
			return nil, fmt.Errorf("lock %s: another process has held it for %v", path, lockWait)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

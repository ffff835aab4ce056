//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// hangUpLook is how often is looked whether anybody still wants to know.
const hangUpLook = time.Minute

// onHangUp calls a function when a terminal goes away. The system wakes it for that;
// where it does not do so for terminals, nothing is called.
func onHangUp(ctx context.Context, terminal *os.File, then func()) {
	fds := []unix.PollFd{{Fd: int32(terminal.Fd())}}
	for ctx.Err() == nil {
		_, err := unix.Poll(fds, int(hangUpLook/time.Millisecond))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil, fds[0].Revents&unix.POLLNVAL != 0:
			return
		case fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0:
			then()
			return
		}
	}
}

// Package systemcall is for who speaks to the system directly, where the standard library takes longer or cannot do it: [Retry]
// makes a call that a signal may interrupt.
package systemcall

import (
	"errors"
	"syscall"
)

// Retry goes on after a signal, as the standard library does.
func Retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

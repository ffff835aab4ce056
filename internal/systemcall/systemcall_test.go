package systemcall_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// TestRetry: a signal is no answer; what comes after it is, be it a failure.
func TestRetry(t *testing.T) {
	refused := errors.New("refused")
	for _, answers := range [][]error{
		{nil},
		{refused},
		{syscall.EINTR, nil},
		{syscall.EINTR, fmt.Errorf("open: %w", syscall.EINTR), refused},
	} {
		calls := 0
		err := systemcall.Retry(func() error { calls++; return answers[calls-1] })
		if want := answers[len(answers)-1]; calls != len(answers) || !errors.Is(err, want) {
			t.Errorf("of %v: %v after %d calls", answers, err, calls)
		}
	}
}

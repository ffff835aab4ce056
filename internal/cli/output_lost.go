package cli

import (
	"errors"
	"io"
	"sync"
)

// output is standard output that remembers when it could not be written: no command
// may end as if it had answered, whether it looks at each error or not.
type output struct {
	to   io.Writer
	mu   sync.Mutex
	lost error // the first error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil {
		o.mu.Lock()
		if o.lost == nil {
			o.lost = err
		}
		o.mu.Unlock()
	}
	return n, err
}

// failed is the first error, or nil.
func (o *output) failed() error {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// closedOutput stands for standard output where the caller has closed it.
type closedOutput struct{}

var errOutputClosed = errors.New("it is closed; to discard it, write `> /dev/null`")

func (closedOutput) Write([]byte) (int, error) { return 0, errOutputClosed }

// closedInput stands for standard input where the caller has closed it: that is not the
// same as nothing to read.
type closedInput struct{}

var errInputClosed = errors.New("standard input is closed; to give none, write `< /dev/null`")

func (closedInput) Read([]byte) (int, error) { return 0, errInputClosed }

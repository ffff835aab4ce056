package writing

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// Patiently tries again for a moment where a file cannot be replaced while another
// process reads it, nor be read while it is replaced.
func Patiently(ctx context.Context, do func() error) error {
	err := do()
	for try := 0; err != nil && !errors.Is(err, fs.ErrNotExist) && try < 20; try++ {
		select {
		case <-ctx.Done():
			return err
		case <-time.After(5 * time.Millisecond):
		}
		err = do()
	}
	return err
}

package fileerror

import (
	"errors"
	"io/fs"
	"strconv"
	"syscall"

	"github.com/pertain-dev/pertain/internal/files"
)

// Reason words an error without repeating the path.
func Reason(err error) string {
	var path *fs.PathError
	var large *files.TooLargeError
	var special *files.NotRegularError
	var limit *files.LimitError
	var outside *files.OutsideError
	switch {
	case errors.As(err, &outside):
		return outside.Reason()
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, syscall.ELOOP), errors.Is(err, files.ErrTooManyLinks):
		return "it is a link that leads in a circle, or through too many others"
	case errors.Is(err, fs.ErrPermission):
		return "permission is denied"
	case errors.As(err, &large):
		return "it has more bytes than the " + ByteCount(large.Limit) + " that are read"
	case errors.As(err, &special):
		return "it is " + special.Kind.String() + ", not a regular file"
	case errors.As(err, &limit):
		return limit.Error()
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}

// ByteCount writes a limit as people do.
func ByteCount(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

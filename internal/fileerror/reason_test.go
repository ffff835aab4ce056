package fileerror_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestReason: whatever the system calls it, an error is told in the same words, and without the path.
func TestReason(t *testing.T) {
	of := func(err error) error { return &fs.PathError{Op: "open", Path: "/secret/x.md", Err: err} }
	for want, err := range map[string]error{
		"it does not exist": of(fs.ErrNotExist),
		"it is a link that leads in a circle, or through too many others": of(syscall.ELOOP),
		"permission is denied":                           of(fs.ErrPermission),
		"it has more bytes than the 1 MiB that are read": fmt.Errorf("read: %w", &files.TooLargeError{Path: "/secret/x.md", Limit: 1 << 20}),
		"it is a folder, not a regular file":             &files.NotRegularError{Path: "/secret/x.md", Kind: files.Folder},
		"it belongs to another user":                     &files.OutsideError{Path: "/secret/x.md", Why: "it belongs to another user"},
		"disk on fire":                                   of(errors.New("disk on fire")),
		"broken":                                         errors.New("broken"),
	} {
		if got := fileerror.Reason(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
	if got := fileerror.Reason(files.ErrTooManyLinks); got != "it is a link that leads in a circle, or through too many others" {
		t.Error(got)
	}
	limit := &files.LimitError{Path: "/w", What: "entries", Max: 3}
	if got := fileerror.Reason(fmt.Errorf("walk: %w", limit)); got != limit.Error() {
		t.Error(got)
	}
}

// TestByteCount: limits are written as people do, where that is exact.
func TestByteCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 bytes", 1023: "1023 bytes", 1024: "1 KiB", 1025: "1025 bytes", 3 << 10: "3 KiB", 1 << 20: "1 MiB", 1<<20 + 1024: "1025 KiB", 3 << 19: "1536 KiB", 3 << 9: "1536 bytes", 5 << 20: "5 MiB"} {
		if got := fileerror.ByteCount(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

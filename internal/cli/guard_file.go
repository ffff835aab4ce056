package cli

import (
	"os"
	"runtime"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// sameFile tells whether two paths lead to one file, also to one that does not exist
// yet.
func sameFile(x, y string) bool {
	a, errA := os.Stat(x)
	b, errB := os.Stat(y)
	if errA == nil && errB == nil {
		return os.SameFile(a, b)
	}
	x, y = files.LinkTarget(x), files.LinkTarget(y)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // they seldom tell letters' cases apart
		return strings.EqualFold(x, y)
	}
	return x == y
}

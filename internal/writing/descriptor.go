package writing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// descriptors are where Unix names open files and devices.
var descriptors = []string{"/dev", "/proc/self/fd"}

// volatileFolders are below them and hold files as any other folder does.
var volatileFolders = []string{"/dev/shm", "/dev/mqueue"}

// IsDescriptor tells whether a path names a device, or a file that is open already, such as /dev/stderr or what a shell gives
// for >(command). There is nothing to replace: it is written as it is.
func IsDescriptor(path string) bool {
	if filepath.Separator != '/' {
		return false
	}
	under := func(dir string) bool { return strings.HasPrefix(filepath.Clean(path), dir+"/") }
	return slices.ContainsFunc(descriptors, under) && !slices.ContainsFunc(volatileFolders, under)
}

// OpenDescriptor opens such a path for writing. Nothing is made.
func OpenDescriptor(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
}

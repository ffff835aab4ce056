package fleet

import (
	"fmt"

	"github.com/pertain-dev/pertain/internal/files"
)

// maxSecret is how much of a file of keys is read, in bytes.
const maxSecret = 64 << 10

// ReadSecret reads a file that must be the user's own and nobody else's to read or write. On Windows, where a file has no such mode, the folder's permissions decide.
// What is opened is what is judged, so that no other file can take its place meanwhile.
func ReadSecret(path string) ([]byte, error) {
	opened, err := files.OS().Open(path, files.Anywhere())
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	info := opened.Info()
	switch {
	case info.Kind != files.File:
		return nil, &files.NotRegularError{Path: path, Kind: info.Kind}
	case info.Foreign:
		return nil, fmt.Errorf("%s belongs to another user: keys are taken from files of your own alone", path)
	case info.Exposed, info.Shared:
		return nil, fmt.Errorf("others may read or write %s: run `chmod 600 %s`", path, path)
	}
	return opened.Read(maxSecret)
}

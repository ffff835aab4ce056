//go:build !unix

package files

import "os"

func readRegular(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(path, KindOf(info.Mode()), info.Size(), limit); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadOpen(f, path, limit)
}

// Nonblocking is nothing here: what would wait is no regular file, and is not opened.
const Nonblocking = 0

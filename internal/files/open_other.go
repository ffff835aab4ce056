//go:build !unix

package files

import (
	"errors"
	"io"
	"os"
)

func readRegular(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(path, kindOf(info.Mode()), info.Size(), limit); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := checkRegular(path, kindOf(info.Mode()), info.Size(), limit); err != nil {
		return nil, err
	}
	return readAll(path, info.Size(), limit, func(b []byte) (int, error) {
		n, err := f.Read(b)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	})
}

// syncFolder does nothing: here a folder cannot be opened for it, and the system keeps its own journal.
func syncFolder(string) error { return nil }

//go:build !unix

package cli

import (
	"errors"
	"io"
	"os"
)

func openScan(path string) (scanFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return scanFile{}, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return scanFile{}, err
	}
	return scanFile{
		regular: info.Mode().IsRegular(),
		size:    info.Size(),
		read: func(b []byte) (int, error) {
			n, err := f.Read(b)
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return n, err
		},
		close: func() { _ = f.Close() },
	}, nil
}

package gateway

import (
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow bounds what a compressed request may ask to be remembered of it; zstd's own default for strangers.
const zstdWindow = 8 << 20

// unpack reads a compressed request: gzip, or zstd, which Codex sends where somebody has logged in to ChatGPT. nil: it is not
// compressed in a way that is known here.
func unpack(encoding string, source io.Reader) (io.ReadCloser, error) {
	switch strings.ToLower(encoding) {
	case "gzip":
		return gzip.NewReader(source)
	case "zstd":
		reader, err := zstd.NewReader(source, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return reader.IOReadCloser(), nil
	}
	return nil, nil //nolint:nilnil // the request is read as it is
}

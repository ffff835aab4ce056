package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/stream"
)

// maxRecord is how large a record may be, in bytes: some ten thousand rules.
const maxRecord = 4 << 20

// Memory is a stream.Memory in a file. A record is written beside the old one,
// flushed to the disk and put in its place, so that a crash leaves the old or the
// new one.
type Memory struct {
	path string
	mu   sync.Mutex
}

// OpenMemory keeps the record of a conversation in a file, which need not exist;
// its folder is made.
func OpenMemory(path string) (*Memory, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return &Memory{path: path}, nil
}

// savedRecord is the form on the disk.
type savedRecord struct {
	Version int `json:"version"`
	stream.Record
}

const recordVersion = 1

// Load reads what was injected so far.
func (m *Memory) Load(ctx context.Context) (stream.Record, error) {
	if err := ctx.Err(); err != nil {
		return stream.Record{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	info, err := os.Stat(m.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stream.Record{}, nil
	case err != nil:
		return stream.Record{}, err
	case info.Size() > maxRecord:
		return stream.Record{}, fmt.Errorf("%s is too large for a record of injected rules", m.path)
	}
	var data []byte
	if err := patiently(ctx, func() (err error) { data, err = os.ReadFile(m.path); return err }); err != nil {
		return stream.Record{}, err
	}
	var saved savedRecord
	if err := json.Unmarshal(data, &saved); err != nil || saved.Version != recordVersion {
		return stream.Record{}, fmt.Errorf("%s is no record of injected rules that this version reads; remove it to start afresh", m.path)
	}
	return saved.Record, nil
}

// Save replaces what was injected so far.
func (m *Memory) Save(ctx context.Context, record stream.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := json.Marshal(savedRecord{recordVersion, record})
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	data = append(data, '\n')
	return patiently(ctx, func() error { return files.WriteFileAtomic(m.path, data, 0o600) })
}

// patiently tries again for a moment where a file cannot be replaced while another
// process reads it, nor be read while it is replaced.
func patiently(ctx context.Context, do func() error) error {
	err := do()
	for try := 0; err != nil && runtime.GOOS == "windows" && try < 20; try++ {
		select {
		case <-ctx.Done():
			return err
		case <-time.After(5 * time.Millisecond):
		}
		err = do()
	}
	return err
}

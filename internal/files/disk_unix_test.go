//go:build linux || darwin || freebsd

package files_test

import (
	"errors"
	"net"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// Opening a pipe that nobody writes to waits for ever. The test is that it ends.
func TestPipesAndSocketsNeverBlock(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	for _, path := range []string{pipe, socket} {
		var irregular *files.NotRegularError
		if _, err := files.OS().ReadFile(path, 0); !errors.As(err, &irregular) || irregular.Kind != files.Special {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

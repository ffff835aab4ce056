package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestScanNeverWaits: opening and reading end at once, whatever the file is.
func TestScanNeverWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	f, err := openScan(path)
	if err != nil || f.regular {
		t.Fatalf("%+v, %v", f, err)
	}
	defer f.close()
	writer, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if _, err := f.read(make([]byte, 10)); !errors.Is(err, errWouldWait) {
		t.Errorf("reading a pipe in which nothing is: %v", err)
	}
}

// TestScanReadsWhatHasNoSize: a file of the kernel says that it has no bytes.
func TestScanReadsWhatHasNoSize(t *testing.T) {
	want, err := os.ReadFile("/proc/self/maps")
	if err != nil || len(want) < 1000 {
		t.Skip("there is no /proc/self/maps")
	}
	w := &scanWorker{buffer: make([]byte, 10)}
	text, ok, err := w.load("/proc/self/maps")
	if !ok || err != nil || len(text) < len(want)/2 {
		t.Errorf("%d bytes of %d, %v", len(text), len(want), err)
	}
}

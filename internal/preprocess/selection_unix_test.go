//go:build unix

package preprocess_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/plan"
)

// TestSelectionReadsNothingOfTheKernel: such files tell about processes, and some never end.
func TestSelectionReadsNothingOfTheKernel(t *testing.T) {
	const path = "/proc/self/status"
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	p, list := run(t, plan.FileManagerSelection, "{preprocess.file_manager.selection.text}", selected(t, map[string]any{"path": path}))
	if p == nil || p.Prompt != "==> "+path+" <==\n(not read: it is not a regular file)" {
		t.Errorf("%v %v", p, list)
	}
}

func TestSelectionDoesNotWaitForAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	p, list := run(t, plan.FileManagerSelection, "{preprocess.file_manager.selection.text}", selected(t, map[string]any{"path": pipe}, map[string]any{"path": "/dev/zero"}))
	if p == nil || strings.Count(p.Prompt, "(not read: it is not a regular file)") != 2 {
		t.Errorf("%v %v", p, list)
	}
}

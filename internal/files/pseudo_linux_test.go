package files_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestPseudo: what the kernel makes up is told from what is on a disk.
func TestPseudo(t *testing.T) {
	if files.Pseudo(t.TempDir()) {
		t.Error("a folder for files is taken for one of the kernel's")
	}
	for _, folder := range []string{"/proc", "/proc/self", "/sys"} {
		var st syscall.Statfs_t
		if _, err := os.Stat("/proc/self/status"); err != nil || syscall.Statfs(folder, &st) != nil {
			t.Skip("there is no /proc")
		}
		if !files.Pseudo(folder) {
			t.Errorf("%s is of type %#x", folder, st.Type)
		}
	}
}

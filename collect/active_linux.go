package collect

import (
	"os"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/process"
)

// programFile is the file that a process runs; "" if it is not known.
func (*desktop) programFile(pid int) string {
	file, err := os.Readlink(process.Path(pid, "exe"))
	if pid <= 0 || err != nil {
		return ""
	}
	return strings.TrimSuffix(file, " (deleted)")
}

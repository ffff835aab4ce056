package hook

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/writing"
)

// maxSwept is how many files of gateways are looked at.
const maxSwept = 1000

// sweepGateways removes what gateways left behind that were killed: who lives holds the lock of its file.
func sweepGateways(state string) {
	folder := filepath.Join(state, gatewayFolder)
	dir, err := os.Open(folder)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxSwept) // what there is of them
	for _, name := range names {
		path := filepath.Join(folder, name)
		if !strings.HasSuffix(name, gatewaySuffix) || writing.Locked(path) {
			continue
		}
		target, err := writing.OwnTarget(path)
		log, failed := writing.OwnTarget(path + releasedSuffix)
		if err == nil && failed == nil {
			_ = target.Remove() // what cannot be removed shows nothing without its lock
			_ = log.RemoveLogged()
			_ = target.RemoveLock()
		}
	}
}

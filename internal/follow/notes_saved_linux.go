package follow

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"syscall"

	"github.com/pertain-dev/pertain/internal/files"
)

// sumOf is a sum of states, of all that fileState.same compares. Linux tells when anything of a file was changed, and no program
// can set that.
func sumOf(looks []Look, state func(path string) fileState) (string, bool) {
	h := sha256.New()
	var b []byte
	for _, look := range looks {
		s := state(look.Path)
		b = append(b[:0], look.Path...)
		b = append(b, 0, byte(s.kind))
		if s.problem != nil {
			var number syscall.Errno
			if !errors.As(s.problem, &number) {
				return "", false
			}
			b = binary.AppendUvarint(b, uint64(number))
		}
		for _, n := range []uint64{uint64(s.mode), s.system.device, s.system.inode, uint64(s.system.owner), uint64(s.system.group)} {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		if s.problem == nil && (s.kind != files.Folder || look.Listed) {
			for _, n := range []int64{s.size, s.changed, s.system.inodeChanged} {
				b = binary.LittleEndian.AppendUint64(b, uint64(n))
			}
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

package follow

import (
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// glance looks at many paths in order: the way to a folder is walked once for all that is looked at in it.
type glance struct {
	folder string
	open   int // the folder; -1: none is
}

func newGlance() *glance { return &glance{open: -1} }

func (g *glance) close() {
	if g.open >= 0 {
		_ = unix.Close(g.open) // it was only looked at
	}
	g.folder, g.open = "", -1
}

// state is lstat.
func (g *glance) state(path string) fileState {
	folder, name := filepath.Split(path)
	if name == "" || name == "." || name == ".." {
		return lstat(path)
	}
	if folder != g.folder {
		g.close()
		fd, err := unix.Open(folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			fd = -1
		}
		g.folder, g.open = folder, fd
	}
	if g.open < 0 {
		return lstat(path) // which knows what to say
	}
	var st unix.Stat_t
	if err := systemcall.Retry(func() error { return unix.Fstatat(g.open, name, &st, unix.AT_SYMLINK_NOFOLLOW) }); err != nil {
		return fileState{kind: missing, problem: err}
	}
	return fileState{
		kind: kindOf(st.Mode), mode: st.Mode, size: st.Size, changed: st.Mtim.Nano(),
		system: systemState{uint64(st.Dev), st.Ino, st.Uid, st.Gid, uint64(st.Nlink), st.Ctim.Nano()},
	}
}

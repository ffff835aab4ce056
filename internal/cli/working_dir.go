package cli

import (
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// dir is the folder to act in, absolute.
func (a *app) dir() string {
	if a.cwd == "" {
		return a.call.Dir
	}
	if filepath.IsAbs(a.cwd) {
		return filepath.Clean(a.cwd)
	}
	return filepath.Join(a.call.Dir, a.cwd)
}

// abs makes a path on the command line absolute. Paths are relative to where
// the program was started; --cwd moves that too.
func (a *app) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(a.dir(), path)
}

// checkDir refuses a --cwd that is no folder. A folder behind a link of a
// repository is none of its own: the call acts in the real folder.
func (a *app) checkDir() error {
	if a.cwd == "" {
		a.call.Dir = settings.WorkingDir(files.OS(), a.call.Dir)
		return nil
	}
	if info, err := os.Stat(a.dir()); err != nil || !info.IsDir() {
		return usage("--cwd %s: there is no such folder", a.cwd)
	}
	a.cwd = settings.WorkingDir(files.OS(), a.dir())
	return nil
}

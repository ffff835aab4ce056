package service

import (
	"errors"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Why there can be no service.
var (
	ErrNoRuntime  = errors.New("XDG_RUNTIME_DIR is not set: there is no folder for the socket of a service")
	ErrElsewhere  = errors.New("this system has no such service")
	errRelative   = errors.New("XDG_RUNTIME_DIR is no absolute path")
	errForeign    = errors.New("XDG_RUNTIME_DIR is not a folder that is yours alone (mode 700)")
	errWorkspace  = errors.New("XDG_RUNTIME_DIR lies in a workspace")
	errOpenFolder = errors.New("the folder of the socket is not yours alone")
	errOpenSocket = errors.New("the socket is not yours alone")
	errStranger   = errors.New("the other end of the socket is another user's")
)

// ErrTaken says that another process is the service already.
var ErrTaken = writing.ErrSocketTaken

const (
	folderName = "pertain"
	socketName = "service.socket"
)

// Endpoint is where the socket of a user's service lies.
type Endpoint struct {
	runtime string // XDG_RUNTIME_DIR, checked
}

// Find is the endpoint in an environment. The folder that holds it must be the user's
// alone, and no workspace: whoever could put a socket there would hear what commands
// ask, and be believed.
func Find(env func(name string) string) (Endpoint, error) {
	runtime := env("XDG_RUNTIME_DIR")
	switch {
	case runtime == "":
		return Endpoint{}, ErrNoRuntime
	case !filepath.IsAbs(runtime):
		return Endpoint{}, errRelative
	}
	if err := checkRuntime(runtime); err != nil {
		return Endpoint{}, err
	}
	if _, in := settings.WorkspaceRoot(files.OS(), runtime); in {
		return Endpoint{}, errWorkspace
	}
	return Endpoint{runtime: filepath.Clean(runtime)}, nil
}

// Folder is the folder of the socket.
func (p Endpoint) Folder() string { return filepath.Join(p.runtime, folderName) }

// Socket is the path of the socket.
func (p Endpoint) Socket() string { return filepath.Join(p.Folder(), socketName) }

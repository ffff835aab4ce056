package settings

import (
	"path/filepath"
	"syscall"
)

// AccountHome is the profile of the user that this process runs as, whatever the environment says; empty: it is not known.
func AccountHome() string {
	token, err := syscall.OpenCurrentProcessToken()
	if err != nil {
		return ""
	}
	defer func() { _ = token.Close() }()
	home, err := token.GetUserProfileDirectory()
	if err != nil || !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Clean(home)
}

package settings

import (
	"os/user"
	"path/filepath"
)

// AccountHome is the user's home as the system's accounts have it, whatever the environment says; empty: it is not known.
func AccountHome() string {
	account, err := user.Current()
	if err != nil || !filepath.IsAbs(account.HomeDir) {
		return ""
	}
	return filepath.Clean(account.HomeDir)
}

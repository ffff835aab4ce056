package cli

import (
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/settings"
)

// skillChoices is the file of what the user enabled and disabled. It is empty
// where there is no folder for one: a file of the working directory would be a
// stranger's.
func skillChoices(paths settings.Paths) string {
	if paths.State == "" {
		return ""
	}
	return filepath.Join(paths.State, "skills.json")
}

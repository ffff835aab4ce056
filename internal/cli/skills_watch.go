package cli

import (
	"context"
	"path/filepath"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// skillChoices is the file of what the user enabled and disabled.
func skillChoices(paths settings.Paths) string { return filepath.Join(paths.State, "skills.json") }

// watchChoices calls changed when skills are enabled or disabled, until ctx ends.
func (w *workspace) watchChoices(ctx context.Context, changed func()) {
	paths := w.app.paths()
	if paths.State == "" {
		return
	}
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: []string{skillChoices(paths)}})
	if err != nil {
		w.logger.Warn("enabled skills are not watched", "error", err)
		return
	}
	for change := range changes {
		if len(change.Paths) > 0 || change.Rescan {
			changed()
		}
	}
}

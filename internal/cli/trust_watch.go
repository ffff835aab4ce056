package cli

import (
	"bytes"
	"context"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
)

// decision is what the user decided that an engine was opened with: whether the
// workspace is trusted, and the text of the settings.
type decision struct {
	trusted  bool
	settings []byte // nil: there is no file
	options  pertain.Options
}

// maxSettings is how many bytes of the settings are compared.
const maxSettings = 4 << 20

// decision looks at what the user has decided now, and what an engine is to be
// opened with because of it.
func (w *workspace) decision() (decision, pertain.Options, error) {
	text, err := files.OS().ReadFile(w.app.abs(w.app.paths().Config), maxSettings)
	if err != nil {
		text = nil // there is none, or locate says what is wrong with it
	}
	location, err := w.app.locate()
	return decision{location.Trusted, text, location.Options}, location.Options, err
}

// watchDecisions opens the engine again when the user trusts the workspace, no
// longer trusts it, or changes the settings, and calls reopened. It ends with
// ctx.
func (w *workspace) watchDecisions(ctx context.Context, reopened func()) {
	paths := w.app.paths()
	var roots []string
	for _, path := range []string{paths.Trust, paths.Config} {
		if path != "" {
			roots = append(roots, w.app.abs(path))
		}
	}
	if len(roots) == 0 {
		return
	}
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots})
	if err != nil {
		w.logger.Warn("the settings are not watched", "error", err)
		return
	}
	for { // first at once: what happened before the watch began is not told
		if w.rethink(ctx) {
			reopened()
		}
		if _, ok := <-changes; !ok {
			return
		}
	}
}

// rethink opens the engine again if the user has decided otherwise, and says
// whether it did. Where that fails, the old one stays, unless the workspace is no
// longer trusted.
func (w *workspace) rethink(ctx context.Context) bool {
	now, options, err := w.decision()
	if err != nil {
		if now, options, err = w.distrust(); err != nil {
			return false
		}
	}
	if now.trusted == w.decided.trusted && bytes.Equal(now.settings, w.decided.settings) {
		return false
	}
	if err := w.openEngine(ctx, options); err != nil {
		return false
	}
	w.decided = now
	return true
}

// distrust is for settings that cannot be read: those that were known stay, but
// trust that was taken back counts.
func (w *workspace) distrust() (decision, pertain.Options, error) {
	place := w.app.place()
	env := place.Env
	place.Env = func(name string) string {
		if name == "PERTAIN_CONFIG" {
			return w.app.paths().Trust + ".no-settings" // there is none, which is fine
		}
		return env(name)
	}
	location, err := pertain.Locate(place)
	if err != nil || location.Trusted {
		return w.decided, w.decided.options, err
	}
	options := location.Options
	options.Disabled, options.Limits = w.decided.options.Disabled, w.decided.options.Limits
	return decision{false, w.decided.settings, options}, options, nil
}

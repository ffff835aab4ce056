package cli

import (
	"bytes"
	"context"
	"os"
	"slices"

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
func (w *workspace) decision() (decision, error) {
	var text []byte
	if w.config != "" {
		var err error
		if text, err = files.OS().ReadFile(w.config, maxSettings); err != nil {
			text = nil // there is none, or locate says what is wrong with it
		}
	}
	location, err := w.app.locate()
	return decision{location.Trusted, text, location.Options}, err
}

// decisionFiles are the files that hold the user's decisions, as they are on
// disk; nil: there is none. Trust is for the very folder that root is.
type decisionFiles struct {
	trust, settings os.FileInfo
	root            files.Identity
}

// lookAtFiles is cheap enough to be done for every request.
func (w *workspace) lookAtFiles() (now decisionFiles) {
	if w.trust != "" {
		now.trust, _ = os.Stat(w.trust)
	}
	if w.config != "" {
		now.settings, _ = os.Stat(w.config)
	}
	if w.root != "" {
		now.root, _ = files.Identify(w.root) // a folder that is gone is another one
	}
	return now
}

func (f *decisionFiles) same(other decisionFiles) bool {
	return f != nil && f.root == other.root && unchanged(f.trust, other.trust) && unchanged(f.settings, other.settings)
}

func unchanged(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// watchDecisions looks when the user trusts the workspace, no longer trusts it,
// or changes the settings, and calls skills when skills are enabled or disabled.
// It ends with ctx.
func (w *workspace) watchDecisions(ctx context.Context, skills func()) error {
	choices := skillChoices(w.app.paths())
	roots := slices.DeleteFunc([]string{w.trust, w.config, choices}, func(path string) bool { return path == "" })
	if len(roots) == 0 {
		<-ctx.Done()
		return nil
	}
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots})
	if err != nil {
		return err
	}
	w.rethink() // what happened before the watch began is not told
	for change := range changes {
		if change.Err != nil {
			w.cannotWatch(change.Err)
		}
		w.rethink()
		if change.Rescan || slices.Contains(change.Paths, choices) {
			skills()
		}
	}
	return nil
}

// rethink opens the engine again if the user has decided otherwise. Where that
// fails, the old one stays, unless the workspace is no longer trusted.
func (w *workspace) rethink() {
	now := w.lookAtFiles()
	if w.seen.Load().same(now) {
		return
	}
	w.deciding.Lock()
	defer w.deciding.Unlock()
	now = w.lookAtFiles() // somebody may have been faster
	if w.seen.Load().same(now) {
		return
	}
	next, unread := w.decision()
	if unread != nil {
		var err error
		if next, err = w.distrust(); err != nil {
			return
		}
	}
	known := func() {
		if unread == nil { // else it is tried again: they may be readable without having changed
			w.seen.Store(&now)
		}
	}
	if next.trusted == w.decided.trusted && bytes.Equal(next.settings, w.decided.settings) {
		known()
		return
	}
	// Not in the time of a request: who is first does it for all.
	if err := w.openEngine(context.Background(), next.options); err == nil {
		w.decided = next
		known()
	} else if !w.decided.trusted || next.trusted || w.openEngine(context.Background(), pertain.Options{}) != nil {
		return
	}
	select {
	case w.reopened <- struct{}{}:
	default: // the one before was not looked at yet
	}
}

// distrust is for settings that cannot be read: those that were known stay, but
// trust that was taken back counts.
func (w *workspace) distrust() (decision, error) {
	if w.trust == "" { // nobody can be trusted, nor could before
		return w.decided, nil
	}
	place := w.app.place()
	place.NoSettings = true
	location, err := pertain.Locate(place)
	if err != nil || location.Trusted {
		return w.decided, err
	}
	options := location.Options
	options.Disabled, options.Limits = w.decided.options.Disabled, w.decided.options.Limits
	return decision{false, w.decided.settings, options}, nil
}

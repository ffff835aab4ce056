package cli

import (
	"bytes"
	"context"
	"os"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/identity"
	"github.com/pertain-dev/pertain/internal/settings"
)

// decision is what the user decided that an engine was opened with: whether the
// workspace is trusted, and the text of the settings; and which workspace it is.
type decision struct {
	root     string // of the workspace; empty: none
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
	return decision{location.Workspace, location.Trusted, text, location.Options}, err
}

// decisionFiles are the files that hold the user's decisions, as they are on
// disk, nil: there is none; and the workspace that they are about.
type decisionFiles struct {
	trust, settings os.FileInfo
	root            string            // empty: there is no workspace
	folder          identity.Identity // trust is for the very folder that root is
}

// lookAtDecisions is cheap enough to be done for every request. What it looks at
// is noted for who follows it.
func lookAtDecisions(ctx context.Context, trust, config, dir string) (now decisionFiles) {
	tree := follow.Noted(ctx, files.OS())
	now.root, _ = settings.WorkspaceRoot(tree, dir)
	if real, err := tree.RealPath(now.root); err == nil && now.root != "" {
		now.folder, _ = identity.Of(real) // a folder that is gone is another one
	}
	if trust != "" {
		follow.Note(ctx, trust)
		now.trust, _ = os.Stat(trust)
	}
	if config != "" {
		follow.Note(ctx, config)
		now.settings, _ = os.Stat(config)
	}
	return now
}

func (w *workspace) lookAtFiles() decisionFiles {
	return lookAtDecisions(context.Background(), w.trust, w.config, w.Root())
}

func (f *decisionFiles) same(other decisionFiles) bool {
	return f != nil && f.root == other.root && f.folder == other.folder && unchanged(f.trust, other.trust) && unchanged(f.settings, other.settings)
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
	var chosen os.FileInfo
	first := true
	return follow.Changes(ctx, follow.Options{Unwatched: w.cannotWatch}, func(ctx context.Context) (time.Duration, error) {
		lookAtDecisions(ctx, w.trust, w.config, w.Root())
		w.rethink()
		if choices == "" {
			return 0, nil
		}
		follow.Note(ctx, choices)
		now, _ := os.Stat(choices) // nil: there are none
		if !first && !unchanged(chosen, now) {
			skills()
		}
		chosen, first = now, false
		return 0, nil
	})
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
	if next.root == w.decided.root && next.trusted == w.decided.trusted && bytes.Equal(next.settings, w.decided.settings) {
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
	environment := w.app.environment()
	environment.NoSettings = true
	location, err := pertain.Locate(environment)
	if err != nil || location.Trusted {
		return w.decided, err
	}
	options := location.Options
	options.Disabled, options.Limits = w.decided.options.Disabled, w.decided.options.Limits
	return decision{location.Workspace, false, w.decided.settings, options}, nil
}

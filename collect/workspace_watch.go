package collect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/git"
	"github.com/pertain-dev/pertain/internal/repository"
)

// How often a watch looks at the workspace: nothing tells that a shell went to
// another folder. A look gets glanceLimit, and what it took is a part in
// glanceShare of the time until the next, which is at most glanceMost.
const (
	glanceTime  = time.Second
	glanceShare = 50
	glanceLimit = 2 * time.Second
	glanceMost  = 10 * time.Second
)

// WatchWorkspace calls changed whenever extra.workspace may be another: the shell
// in front is in another folder, a file was changed, another branch is checked
// out. It looks now and then, and only while somebody collects extra.workspace.
// It returns when ctx ends.
func (m *Machine) WatchWorkspace(ctx context.Context, changed func()) {
	var marks string     // of the last look
	var costly time.Time // when git is asked next, without a reason
	for {
		began, pause := time.Now(), glanceTime
		if told := m.told.Load(); told != nil {
			now, seen := m.glance(ctx)
			pause = max(pause, share(began))
			if seen != marks || now.root != told.root || began.After(costly) {
				m.askGit(ctx, &now)
				costly = time.Now().Add(share(began))
			} else {
				now.git = told.git
			}
			marks = seen
			if ctx.Err() == nil && !now.fits(*told) && m.told.CompareAndSwap(told, nil) { // who still wants it asks for it now
				changed()
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// share is how long to wait after a look.
func share(began time.Time) time.Duration {
	return min(glanceShare*time.Since(began), glanceMost)
}

// fits tells whether a look agrees with what was told. What is not known does not
// disagree: who was told had less time.
func (w toldWorkspace) fits(told toldWorkspace) bool {
	return w.root == told.root && w.git.Branch == told.git.Branch &&
		(!w.git.Known || !told.git.Known || w.git.Changes == told.git.Changes)
}

// glance sees what costs little: the workspace, and marks that change with a
// commit and with another branch.
func (m *Machine) glance(ctx context.Context) (now toldWorkspace, marks string) {
	ctx, cancel := context.WithTimeout(ctx, glanceLimit)
	defer cancel()
	for _, w := range m.workspaces() {
		if _, root, err := w.root(ctx); err == nil && root != "" {
			now.root = root
			break
		}
	}
	if now.root == "" {
		return now, ""
	}
	marks = now.root
	if top, ok := git.Top(now.root); ok {
		if r, err := repository.Open(top); err == nil {
			branch, _ := r.Branch()
			marks += "\x00" + branch
			if info, err := os.Stat(filepath.Join(r.Folder, "index")); err == nil {
				marks += fmt.Sprint("\x00", info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return now, marks
}

// askGit sees whether there are changes.
func (m *Machine) askGit(ctx context.Context, now *toldWorkspace) {
	if now.root == "" {
		return
	}
	if top, ok := git.Top(now.root); ok {
		ctx, cancel := context.WithTimeout(ctx, glanceLimit)
		defer cancel()
		now.git = m.git().Read(ctx, top)
	}
}

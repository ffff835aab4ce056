package collect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/git"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// workspace tells which workspace a folder is in (docs/reference/paths.md): the nearest folder
// at or above it that holds .pertain or .git, and what git says of it.
type workspace struct {
	id   string
	find func(context.Context) (string, error) // the folder to begin at; "": there is none
	git  git.Reader
	told *atomic.Pointer[toldWorkspace] // where it is noted what was told last, for who watches
}

// toldWorkspace is what was told of a workspace.
type toldWorkspace struct {
	root string // empty: there is none
	git  git.State
}

func (w workspace) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: w.id, Serves: []string{"extra.workspace"}}
}

func (workspace) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (w workspace) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	told := &toldWorkspace{}
	defer func() { w.told.Store(told) }()
	dir, root, err := w.root(ctx)
	if err != nil || dir == "" {
		return facts.Part{}, err
	}
	if root == "" {
		return facts.Part{Lacks: []facts.Lack{noWorkspace(dir)}}, nil
	}
	told.root = root
	object := []facts.Field{
		{Name: "root", Value: facts.Text(root)},
		{Name: "name", Value: facts.Text(filepath.Base(root))},
	}
	state := git.State{Missing: "no git repository"}
	var lacks []facts.Lack
	if top, ok := git.Top(root); ok {
		state = w.git.Read(ctx, top)
		told.git = state
		lacks = state.Lacks()
		object = append(object, facts.Field{Name: "git", Value: state.Value()})
	}
	part := facts.Part{}.With("extra.workspace", facts.Fields(object...))
	part.Summary = map[string]string{"extra.workspace": state.Summary()}
	part.Lacks = lacks
	return part, nil
}

// root is the folder to begin at, and that of its workspace; "": there is none.
func (w workspace) root(ctx context.Context) (dir, root string, err error) {
	dir, err = w.find(ctx)
	if err != nil || dir == "" {
		return "", "", err
	}
	root, _ = settings.WorkspaceRoot(files.OS(), dir)
	return dir, root, nil
}

// noWorkspace says why a folder is in none.
func noWorkspace(dir string) facts.Lack {
	lack := facts.Lack{Path: "extra.workspace", Reason: "neither the folder nor one above it has .git or .pertain", Remedy: "make a folder .pertain in that of the project, or name another folder with --cwd"}
	if git.IsBare(dir) {
		lack.Reason, lack.Remedy = "the folder is a git repository without files to work on", "name one that has them with --cwd"
	}
	return lack
}

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
		if r, err := m.git().Open(top); err == nil {
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

package collect

import (
	"context"
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

func (w workspace) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: w.id, Serves: []string{"extra.workspace"}}
}

func (workspace) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (w workspace) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	told := &toldWorkspace{}
	defer func() {
		told.late = told.git.Late() || ctx.Err() != nil
		w.told.Store(told)
	}()
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
		began := time.Now()
		state = w.git.Read(ctx, top)
		told.git, told.took = state, time.Since(began)
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
// another folder. Each look gets glanceLimit. What one takes that costs little is a
// part in glanceShare of the time until the next; so is a look for changes of files,
// and a part in hintedShare where something says that there may be one: that is to
// be told soon. None is put off for longer than glanceMost.
const (
	glanceTime  = time.Second
	glanceShare = 50
	hintedShare = 5
	glanceLimit = 2 * time.Second
	glanceMost  = 10 * time.Second
)

// lateLooks is how many looks for changes in a row have to end for want of time until
// what was known counts as unknown: one may have met a busy moment.
const lateLooks = 2

// toldWorkspace is what was told of a workspace, or seen of it.
type toldWorkspace struct {
	root string // empty: there is none
	git  git.State
	took time.Duration // what git took of it
	late bool          // the time was over before all was known
}

// differs tells whether a look disagrees with what was told. What became unknown
// does, but not for want of time: then it may well be as it was. Who was told
// nothing for want of time would be told no more now, unless the look took much less.
func (w toldWorkspace) differs(told toldWorkspace) bool {
	switch {
	case w.root != told.root, w.git.Branch != told.git.Branch:
		return true
	case w.late:
		return false
	case told.late:
		return w.took < told.took/2
	default:
		return w.git != told.git
	}
}

// WatchWorkspace calls changed whenever extra.workspace may be another: the shell
// in front is in another folder, a file was changed, another branch is checked
// out, or what was known of it is unknown now. It looks now and then, and only while
// somebody collects extra.workspace. Several may watch; each is told, whoever else
// collects it. It returns when ctx ends.
func (m *Machine) WatchWorkspace(ctx context.Context, changed func()) {
	w := workspaceWatch{machine: m, limit: glanceLimit}
	for {
		differs, pause := w.look(ctx)
		if ctx.Err() == nil && differs {
			changed()
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

// workspaceWatch is one who watches.
type workspaceWatch struct {
	machine *Machine
	limit   time.Duration  // of one look
	stale   *toldWorkspace // what was told, and is known to be out of date; who still wants it asks for it anew
	last    *toldWorkspace // as it was seen last; nil: not yet
	marks   string         // when it was looked for changes
	began   time.Time      // that look
	took    time.Duration
	late    int  // looks for changes in a row that ended for want of time
	said    bool // that is told, and no look has ended otherwise since: who asks may have more time than a look
}

// look tells whether the workspace is another than was told, or than it was: what
// was told last may have been told to somebody else. pause is the time until the next.
func (w *workspaceWatch) look(ctx context.Context) (differs bool, pause time.Duration) {
	told := w.machine.told.Load()
	if told == nil || told == w.stale { // nobody wants to know
		return false, glanceTime
	}
	began := time.Now()
	now, marks := w.machine.glance(ctx, w.limit)
	pause = max(glanceTime, share(time.Since(began), glanceShare))
	if now.root != told.root || w.due(marks, time.Now()) {
		w.askGit(ctx, &now, marks)
	} else {
		now.git, now.took, now.late = told.git, told.took, told.late
	}
	if ctx.Err() != nil {
		return false, pause
	}
	late := w.late >= lateLooks && told.git.Known && !w.said
	differs = now.differs(*told) || w.last != nil && now.differs(*w.last) || late
	if differs {
		w.stale, w.late, w.said = told, 0, w.said || late
	}
	if differs || !now.late { // else it may well be as it was
		w.last = &now
	}
	return differs, pause
}

// due tells whether it is time to look for changes.
func (w *workspaceWatch) due(marks string, at time.Time) bool {
	parts := glanceShare
	if marks != w.marks {
		parts = hintedShare
	}
	return at.Sub(w.began) > share(w.took, parts)
}

// share is how long to wait after a look that is to be one part of that time.
func share(took time.Duration, parts int) time.Duration {
	return min(time.Duration(parts)*took, glanceMost)
}

// glance sees what costs little: the workspace, and marks that change with a
// commit, with another branch, and with what git has of its files.
func (m *Machine) glance(ctx context.Context, limit time.Duration) (now toldWorkspace, marks string) {
	ctx, cancel := context.WithTimeout(ctx, limit)
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
		marks += "\x00" + top
		if r, err := m.git().Open(top); err != nil {
			marks += "\x00" + err.Error()
		} else {
			marks += "\x00" + r.Marks()
		}
	}
	return now, marks
}

// askGit sees whether there are changes.
func (w *workspaceWatch) askGit(ctx context.Context, now *toldWorkspace, marks string) {
	w.began, w.marks = time.Now(), marks
	if now.root != "" {
		if top, ok := git.Top(now.root); ok {
			ctx, cancel := context.WithTimeout(ctx, w.limit)
			defer cancel()
			now.git = w.machine.git().Read(ctx, top)
		}
	}
	w.took = time.Since(w.began)
	now.took, now.late = w.took, now.git.Late()
	if now.late {
		w.late++
	} else {
		w.late, w.said = 0, false
	}
}

package collect

import (
	"context"
	"path/filepath"
	"sync/atomic"

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

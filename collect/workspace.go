package collect

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// workspace tells which workspace a folder is in (CF §16.3): the nearest folder
// at or above it that holds .pertain or .git, and what git says of it.
type workspace struct {
	id   string
	find func(context.Context) (string, error) // the folder to begin at; "": there is none
	env  func(string) string
}

func (w workspace) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: w.id, Serves: []string{"extra.workspace"}}
}

func (workspace) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (w workspace) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	dir, err := w.find(ctx)
	if err != nil || dir == "" {
		return facts.Part{}, err
	}
	root, ok := settings.WorkspaceRoot(files.OS(), dir)
	if !ok {
		return facts.Part{}, nil
	}
	object := []facts.Field{
		{Name: "root", Value: facts.Text(root)},
		{Name: "name", Value: facts.Text(filepath.Base(root))},
	}
	state := gitState{missing: "no git repository"}
	var lacks []facts.Lack
	if top, ok := gitTop(root); ok {
		state = readGit(ctx, top, w.env)
		lacks = state.lacks()
		object = append(object, facts.Field{Name: "git", Value: state.value()})
	}
	part := facts.Part{}.With("extra.workspace", facts.Fields(object...))
	part.Summary = map[string]string{"extra.workspace": state.summary()}
	part.Lacks = lacks
	return part, nil
}

// gitTop is the folder at or above the root that holds .git: a workspace may be
// a part of a repository.
func gitTop(root string) (string, bool) {
	for dir := root; ; dir = filepath.Dir(dir) {
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil {
			return dir, true
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

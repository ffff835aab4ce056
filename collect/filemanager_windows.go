package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/filemanager"
	"github.com/pertain-dev/pertain/facts"
)

// explorer reads the folder and the selection of the Explorer window in front
// through the shell's COM objects (docs/reference/paths.md).
type explorer struct{ *desktop }

func (explorer) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "windows.explorer", Serves: []string{"extra.file_manager"}}
}

func (e explorer) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.file_manager", facts.Value{})
	w, err := e.front(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	if !filemanager.IsExplorer(w.class) {
		return none, nil
	}
	return filemanager.Explorer(ctx, w.handle)
}

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/filemanager"
	"github.com/pertain-dev/pertain/facts"
)

// finder reads the folder and the selection of the Finder, if it is in front
// (docs/reference/paths.md).
type finder struct{ *desktop }

func (finder) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.finder", Serves: []string{"extra.file_manager"}, Permission: "automation of the Finder"}
}

func (f finder) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.file_manager", facts.Value{})
	app, err := f.checked(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	if bundle, _ := f.identity(app.pid); bundle != "com.apple.finder" {
		return none, nil
	}
	return filemanager.Finder(ctx)
}

package collect

import (
	"context"
	"errors"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/filemanager"
	"github.com/pertain-dev/pertain/facts"
)

// fileManager reads the folder and the selection of the file manager in front
// (docs/reference/paths.md).
type fileManager struct{ *desktop }

func (fileManager) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "linux.file-manager", Serves: []string{"extra.file_manager"}, Permission: readPermission}
}

func (f fileManager) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.file_manager", facts.Value{})
	w, err := f.front(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	names := strings.ToLower(w.process + " " + w.class)
	kind, ok := filemanager.KindOf(names)
	if !ok && filemanager.IsUnread(names) {
		return facts.Part{}, facts.Unavailable("the file manager in front does not tell its folder and its selection", "use one that does, such as Thunar, Nemo, Caja, Nautilus, Dolphin or PCManFM, or name the files with --attach")
	}
	if !ok {
		return none, nil // another program is in front, so no file manager is
	}
	warm := f.warm.Load()
	if kept, ok := warm.filesOf(ctx, w); ok {
		return kept.Part(), nil
	}
	_, since := warm.now()
	s, err := f.accessible(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	answer, err := filemanager.Read(ctx, s, kind, filemanager.Surroundings{Env: f.options.Env, Session: f.sessionAddress})
	if err != nil {
		return facts.Part{}, err
	}
	if answer.Lasts() {
		warm.keepFiles(since, w, s, answer)
	}
	return answer.Part(), nil
}

package cli

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/httpapi"
)

// servedWorkspace tells clients what is wrong with the file of --context, which
// may change while the server runs. The words name the file and never the text.
type servedWorkspace struct{ *workspace }

// Snapshot is the context now.
func (w servedWorkspace) Snapshot(ctx context.Context, id string) (*facts.Snapshot, diag.List, error) {
	snapshot, list, err := w.workspace.Snapshot(ctx, id)
	var known *exit
	if w.where.file != "" && errors.As(err, &known) {
		err = &httpapi.ContextError{Reason: err.Error()}
	}
	return snapshot, list, err
}

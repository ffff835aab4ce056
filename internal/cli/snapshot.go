package cli

import (
	"context"
	"encoding/json"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visible"
)

// snapshotDocument writes a snapshot in the form that --context reads
// (docs/reference/paths.md).
type snapshotDocument struct{ *facts.Form }

func newSnapshotDocument(ctx context.Context, s *facts.Snapshot) *snapshotDocument {
	return &snapshotDocument{s.Form(ctx, 0)}
}

func (d *snapshotDocument) indented() (string, error) {
	text, err := json.MarshalIndent(d, "", "  ")
	return string(visible.JSON(text)), err
}

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/facts"
)

// clipboardReader reads what the user has copied (docs/reference/paths.md).
type clipboardReader struct{ *desktop }

func (clipboardReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "windows.clipboard", Serves: []string{"clipboard"}}
}

func (c clipboardReader) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	if _, err := c.front(ctx); err != nil && !errors.Is(err, errNoWindow) {
		return facts.Part{}, err
	}
	return clipboard.Read(ctx, request.Needs.Names())
}

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/ax"
	"github.com/pertain-dev/pertain/facts"
)

func (s selectionReader) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := selected("")
	a, _, front, err := s.window(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	defer front.Close()
	if front.Focus == 0 {
		return none, nil
	}
	text, status := ax.SelectionOf(a, front.Focus, ax.TimeLeft(ctx, ax.Reserve))
	switch {
	case status == ax.StatusUnsupported || status == ax.StatusNoValue || status == ax.StatusInvalidElement:
		return none, nil
	case status != ax.StatusSuccess:
		return facts.Part{}, ax.Failed(status)
	}
	return selected(text), nil
}

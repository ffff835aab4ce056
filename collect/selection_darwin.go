package collect

import (
	"context"
	"errors"

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
	defer front.close()
	if front.focus == 0 {
		return none, nil
	}
	text, status := axSelectionOf(a, front.focus, axTimeLeft(ctx, axReserve))
	switch {
	case status == axUnsupported || status == axNoValue || status == axInvalidElement:
		return none, nil
	case status != axSuccess:
		return facts.Part{}, axFailed(status)
	}
	return selected(text), nil
}

package collect

import (
	"context"
	"errors"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/uia"
	"github.com/pertain-dev/pertain/facts"
)

func (s selectionReader) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	w, err := s.front(ctx)
	if errors.Is(err, errNoWindow) {
		return selected(""), nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	target, err := s.accessible(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	found, err := target.Selected(ctx)
	if err != nil {
		return facts.Part{}, uia.Unanswered(ctx, err)
	}
	switch {
	case !w.still(): // else the selection of a window that must not be read might be told
		return facts.Part{}, facts.Unavailable("another window came to the front", "try again")
	case found.Text == "" && found.Silent:
		return facts.Part{}, facts.Unavailable("the program in front does not tell which text is selected", "copy the text instead")
	}
	return selected(found.Text), nil
}

// still tells whether a window is still in front.
func (w window) still() bool { return windows.GetForegroundWindow() == w.handle }

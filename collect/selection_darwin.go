package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

// selection reads the text that is selected in the window in front.
type selection struct{ *desktop }

// selectedText is an attachment that stands in when the user attached none.
const selectedText = "attachments.selection.text"

func (selection) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.selection", Serves: []string{selectedText}, Permission: "accessibility"}
}

func (s selection) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	return s.present()
}

func (s selection) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := facts.Part{}.With(selectedText, facts.Value{})
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
	case text == "":
		return none, nil
	}
	return facts.Part{}.With(selectedText, facts.Text(text)), nil
}

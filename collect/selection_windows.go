package collect

import (
	"context"
	"errors"

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
	scene, err := s.accessible(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	found, err := scene.selected(ctx)
	if err != nil {
		return facts.Part{}, unanswered(ctx, err)
	}
	switch {
	case !w.still(): // else the selection of a window that must not be read might be told
		return facts.Part{}, facts.Unavailable("another window came to the front", "try again")
	case found.text == "" && found.silent:
		return facts.Part{}, facts.Unavailable("the program in front does not tell which text is selected", "copy the text instead")
	}
	return selected(found.text), nil
}

// chosen is what is selected.
type chosen struct {
	text   string
	silent bool // there may be a selection, but the program does not tell
}

// maxParents is how far above the focused element the text that it belongs to is
// looked for: the focus may be on a link, and the selection is the page's.
const maxParents = 12

// selected is the selected text of the element that has the keyboard.
func (s automationWindow) selected(ctx context.Context) (chosen, error) {
	return ask(ctx, s.automation, func() (chosen, error) {
		e, err := s.core.object(slotFocusedElementBuildCache, s.single.handle())
		if err != nil || e == nil {
			return chosen{silent: err == nil}, err
		}
		silent := isTyped(e.cachedNumber(propertyControlType)) || e.cachedNumber(propertyControlType) == controlCustom
		for range maxParents {
			if e.cachedFlag(propertyIsPassword) {
				e.release()
				return chosen{}, nil
			}
			if e.cachedFlag(propertyHasTextPattern) {
				text, known := selectedRanges(e)
				e.release()
				return chosen{text: text, silent: !known}, nil
			}
			parent, err := s.parents.object(slotGetParentElementBuildCache, e.handle(), s.single.handle())
			e.release()
			if err != nil || parent == nil {
				return chosen{silent: silent}, nil //nolint:nilerr // above the window there is nothing to ask
			}
			e = parent
		}
		e.release()
		return chosen{silent: silent}, nil
	}, nil)
}

package uia

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/uia/api"
)

// Selection is what is selected.
type Selection struct {
	Text   string
	Silent bool // there may be a selection, but the program does not tell
}

// maxParents is how far above the focused element the text that it belongs to is
// looked for: the focus may be on a link, and the selection is the page's.
const maxParents = 12

// Selected is the selected text of the element that has the keyboard.
func (s Window) Selected(ctx context.Context) (Selection, error) {
	return ask(ctx, s.Automation, func() (Selection, error) {
		e, err := s.core.Object(api.SlotFocusedElementBuildCache, s.single.Handle())
		if err != nil || e == nil {
			return Selection{Silent: err == nil}, err
		}
		silent := isTyped(cachedNumber(e, api.PropertyControlType)) || cachedNumber(e, api.PropertyControlType) == controlCustom
		for range maxParents {
			if cachedFlag(e, api.PropertyIsPassword) {
				e.Release()
				return Selection{}, nil
			}
			if cachedFlag(e, api.PropertyHasTextPattern) {
				text, known := selectedRanges(e)
				e.Release()
				return Selection{Text: text, Silent: !known}, nil
			}
			parent, err := s.parents.Object(api.SlotGetParentElementBuildCache, e.Handle(), s.single.Handle())
			e.Release()
			if err != nil || parent == nil {
				return Selection{Silent: silent}, nil //nolint:nilerr // above the window there is nothing to ask
			}
			e = parent
		}
		e.Release()
		return Selection{Silent: silent}, nil
	}, nil)
}

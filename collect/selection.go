//go:build darwin || linux || windows

package collect

import "github.com/pertain-dev/pertain/facts"

// selectionReader reads the text that is selected in the window in front.
type selectionReader struct{ *desktop }

// selectedText is an attachment that stands in when the user attached none.
const selectedText = "attachments.selection.text"

func (selectionReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: systemName + ".selection", Serves: []string{selectedText}, Permission: readPermission}
}

// selected is the answer with a text; nothing is selected where it is empty.
func selected(text string) facts.Part {
	if text == "" {
		return facts.Part{}.With(selectedText, facts.Value{})
	}
	return facts.Part{}.With(selectedText, facts.Text(text))
}

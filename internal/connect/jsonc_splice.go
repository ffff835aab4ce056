package connect

import (
	"errors"
	"slices"
	"strings"
)

// splice replaces a part of a text: Removed stood at an offset, Inserted stands there now.
type splice struct {
	At       int    `json:"at"` // bytes, in the text before
	Removed  string `json:"removed,omitempty"`
	Inserted string `json:"inserted,omitempty"`
}

// apply makes splices in order, each in the text that the one before has left.
func apply(text string, list []splice) string {
	for _, s := range list {
		text = text[:s.At] + s.Inserted + text[s.At+len(s.Removed):]
	}
	return text
}

// revert undoes splices.
func revert(text string, list []splice) (string, error) {
	for _, s := range slices.Backward(list) {
		if s.At > len(text) || !strings.HasPrefix(text[s.At:], s.Inserted) {
			return "", errors.New("it is not what was written")
		}
		text = text[:s.At] + s.Removed + text[s.At+len(s.Inserted):]
	}
	return text, nil
}

func (j *jsonText) splice(at int, removed, inserted string) {
	s := splice{at, removed, inserted}
	j.splices = append(j.splices, s)
	j.text = apply(j.text, []splice{s})
	j.root = nil
}

package cli

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// textLine is a line of text that is being edited.
type textLine struct {
	text []rune
	at   int // where the cursor is
}

func (l *textLine) String() string { return string(l.text) }

func (l *textLine) set(text string) { *l = textLine{text: []rune(text), at: len([]rune(text))} }

// maxLine is how many characters a line takes: more was not meant to be pasted
// here, and every key draws the line again.
const maxLine = 64 << 10

// near is the part of the line around the cursor that can be in view: text that
// is this wide has seldom more than a few characters for each column.
func (l *textLine) near(width int) (from, to int) {
	reach := 8 * max(width, 1)
	return max(l.at-reach, 0), min(l.at+reach, len(l.text))
}

// insert puts text in at the cursor; line breaks of a paste become blanks. What
// does not fit into the line is left out.
func (l *textLine) insert(text string) {
	runes := []rune(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text))
	runes = runes[:min(len(runes), max(maxLine-len(l.text), 0))]
	l.text = slices.Insert(l.text, l.at, runes...)
	l.at += len(runes)
}

// key edits the line; false means that the key is none of the line's.
func (l *textLine) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "backspace", "ctrl+h":
		if l.at > 0 {
			l.text = slices.Delete(l.text, l.at-1, l.at)
			l.at--
		}
	case "delete", "ctrl+d":
		if l.at < len(l.text) {
			l.text = slices.Delete(l.text, l.at, l.at+1)
		}
	case "left", "ctrl+b":
		l.at = max(l.at-1, 0)
	case "right", "ctrl+f":
		l.at = min(l.at+1, len(l.text))
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.text)
	case "ctrl+u":
		l.text, l.at = slices.Delete(l.text, 0, l.at), 0
	case "ctrl+k":
		l.text = l.text[:l.at]
	case "ctrl+w":
		from := l.at
		for from > 0 && l.text[from-1] == ' ' {
			from--
		}
		for from > 0 && l.text[from-1] != ' ' {
			from--
		}
		l.text, l.at = slices.Delete(l.text, from, l.at), from
	default:
		if k.Text == "" {
			return false
		}
		l.insert(k.Text)
	}
	return true
}

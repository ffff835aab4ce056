package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/visible"
)

// styled passes lines of our own on to a terminal: the colours that this program paints with, and everything else as it would be shown
// without them. A text of somebody else's that was put into a line as it is can therefore still not talk to the terminal.
type styled struct {
	to   io.Writer
	held string // the beginning of a sequence
}

// ownStyles are the sequences of [painter] and of diagnostics.
var ownStyles = []string{
	"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m",
}

func (s *styled) Write(p []byte) (int, error) {
	text := s.held + string(p)
	s.held = ""
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); {
		if text[at] != '\x1b' {
			at++
			continue
		}
		rest := text[at:]
		if i := slices.IndexFunc(ownStyles, func(style string) bool { return strings.HasPrefix(rest, style) }); i >= 0 {
			b.WriteString(visible.Show(text[from:at]))
			b.WriteString(ownStyles[i])
			at += len(ownStyles[i])
			from = at
			continue
		}
		if slices.ContainsFunc(ownStyles, func(style string) bool { return strings.HasPrefix(style, rest) }) {
			text, s.held = text[:at], rest // the next piece decides
			break
		}
		at++
	}
	b.WriteString(visible.Show(text[from:]))
	if _, err := io.WriteString(s.to, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

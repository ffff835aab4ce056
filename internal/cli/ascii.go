package cli

import (
	"io"
	"strings"
)

// asciiSigns are the signs of this program as terminals show them that have ASCII
// alone. A word of the user's own that holds one is shown so too, in what is for
// people; texts that are printed for their own sake stay as they are.
var asciiSigns = strings.NewReplacer(
	"✓", "+", "✗", "x", "●", "*", "○", "o", "·", "-", "…", "...", "→", "->", "↑", "^", "↓", "v", "─", "-", "│", "|", "•", "*", "–", "-", "�", "?",
	"▁", "1", "▂", "2", "▃", "3", "▄", "4", "▅", "5", "▆", "6", "▇", "7", "█", "8", // how tall a bar is
)

// asciiWriter writes what is for people without those signs. Each call of Write gets
// whole characters, as those of fmt do.
type asciiWriter struct{ to io.Writer }

func (w asciiWriter) Write(p []byte) (int, error) {
	if _, err := asciiSigns.WriteString(w.to, string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// legible is an output for people: without signs, where the locale has ASCII alone.
func (a *app) legible(w io.Writer) io.Writer {
	if _, done := w.(asciiWriter); done || a.unicode() {
		return w
	}
	return asciiWriter{w}
}

package visible

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Writer passes a text on as [Show] gives it, however it is cut into pieces. What
// the next piece decides, a part of a character or a joiner at the end, is held
// back until then; [Writer.Flush] writes it. It is not safe for concurrent use.
type Writer struct {
	to   io.Writer
	seen string // the end of what was written, for what follows
	held string // not written yet
}

// NewWriter makes a writer in front of another.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write takes the next piece. It counts what was held back as written.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.write(string(p), false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what was held back.
func (w *Writer) Flush() error { return w.write("", true) }

func (w *Writer) write(piece string, last bool) error {
	text := w.seen + w.held + piece
	from := len(w.seen)
	end := len(text)
	if !last {
		end = settled(text, from)
	}
	if end > from {
		// What is held back is still looked at, as what follows.
		var b strings.Builder
		done := show(&b, text, from, end)
		b.WriteString(text[done:end])
		if _, err := io.WriteString(w.to, b.String()); err != nil {
			return err
		}
	}
	w.held = strings.Clone(text[end:])
	w.seen = strings.Clone(tail(text[:end]))
	return nil
}

// settled is how much of a text can be shown whatever follows. At most so much is
// held back that a flag fits.
func settled(text string, from int) int {
	end := len(text)
	for range utf8.UTFMax - 1 { // a character may have arrived in part
		if end > from && !utf8.RuneStart(text[end-1]) {
			end--
		}
	}
	if end > from && !utf8.FullRuneInString(text[end-1:]) && text[end-1] >= utf8.RuneSelf {
		end--
	} else {
		end = len(text)
	}
	for end > from && len(text)-end < 32 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if r != '\r' && !ignorable(r) {
			break
		}
		end -= size
	}
	return end
}

// tail is the end of a text that decides about what follows, cut between characters.
func tail(text string) string {
	start := max(len(text)-lookAround, 0)
	for start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	return text[start:]
}

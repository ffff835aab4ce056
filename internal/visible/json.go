package visible

import (
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes as \uXXXX what a person who looks at JSON could not see, or would see
// in another order: C1 controls, bidirectional controls, line separators, characters
// without a form. The values stay equal. The text is valid JSON, or pieces of it
// that end between characters.
func JSON(data []byte) []byte {
	at := conspicuous(data, 0)
	if at == len(data) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for done := 0; ; {
		out = append(out, data[done:at]...)
		if at == len(data) {
			return out
		}
		r, size := utf8.DecodeRune(data[at:])
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		} else {
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		done = at + size
		at = conspicuous(data, done)
	}
}

// conspicuous is the offset of the next character that is to be escaped. Those that
// are needed to draw emoji and letters are too: programs do not mind.
func conspicuous(data []byte, from int) int {
	for i := from; i < len(data); {
		if c := data[i]; c < utf8.RuneSelf && c != 0x7F {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r >= 0x7F && r <= 0x9F || r == 0x2028 || r == 0x2029 || r == 0x2800 || formless(r) || ignorable(r) && !isSelector(r) && r != 0x200C && r != 0x200D || r >= 0xE0100 && r <= 0xE01EF {
			return i
		}
		i += size
	}
	return len(data)
}

// JSONWriter escapes what is written to it as [JSON] does. Each write must end
// between characters, as those of encoding/json do.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ to io.Writer }

func (w jsonWriter) Write(p []byte) (int, error) {
	if _, err := w.to.Write(JSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

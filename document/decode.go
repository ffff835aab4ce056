package document

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

// MaxBytes is how large a file may be to be read as a document.
const MaxBytes = 4 << 20

// Decode turns the bytes of a file into a source: UTF-8 with or without a byte
// order mark, UTF-16 with one. What cannot be decoded becomes U+FFFD, so that
// the rest can still be looked at, and is reported at its position; so is a NUL.
func Decode(name string, data []byte) (*diag.Source, diag.List) {
	if len(data) > MaxBytes {
		return TooLarge(name, int64(len(data)))
	}
	if len(data) >= 2 && (data[0] == 0xFF && data[1] == 0xFE || data[0] == 0xFE && data[1] == 0xFF) {
		return decodeUTF16(name, data)
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	if i := invalidUTF8(text); i >= 0 {
		source := diag.NewSource(name, strings.ToValidUTF8(text, "\uFFFD"))
		d := diag.At(source, diag.Span{Start: i, End: i + len("\uFFFD")}, diag.StrategyInvalidEncoding, "this byte is not valid UTF-8").
			WithHint("save the file as UTF-8")
		return source, diag.List{d}
	}
	source := diag.NewSource(name, text)
	return source, checkNUL(source)
}

// TooLarge is what there is to say about a file that is not read at all.
func TooLarge(name string, size int64) (*diag.Source, diag.List) {
	source := diag.NewSource(name, "")
	d := diag.At(source, diag.NoSpan, diag.StrategyTooLarge,
		"the file has %d bytes, more than the %d that are read", size, MaxBytes).
		WithHint("keep long material in a file of its own and name it in the prompt")
	return source, diag.List{d}
}

func invalidUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

func decodeUTF16(name string, data []byte) (*diag.Source, diag.List) {
	big := data[0] == 0xFE
	var units []uint16
	for i := 2; i+1 < len(data); i += 2 {
		if big {
			units = append(units, uint16(data[i])<<8|uint16(data[i+1]))
		} else {
			units = append(units, uint16(data[i+1])<<8|uint16(data[i]))
		}
	}
	var b strings.Builder
	bad := -1
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
			if i+1 < len(units) {
				if pair := utf16.DecodeRune(rune(units[i]), rune(units[i+1])); pair != utf8.RuneError {
					r = pair
					i++
				}
			}
			if r == utf8.RuneError && bad < 0 {
				bad = b.Len()
			}
		}
		b.WriteRune(r)
	}
	if len(data)%2 != 0 && bad < 0 {
		bad = b.Len()
		b.WriteRune(utf8.RuneError)
	}
	source := diag.NewSource(name, b.String())
	if bad >= 0 {
		d := diag.At(source, diag.Span{Start: bad, End: bad + len("\uFFFD")}, diag.StrategyInvalidEncoding, "this is not valid UTF-16").
			WithHint("save the file as UTF-8")
		return source, diag.List{d}
	}
	return source, checkNUL(source)
}

func checkNUL(source *diag.Source) diag.List {
	i := strings.IndexByte(source.Text(), 0)
	if i < 0 {
		return nil
	}
	message := "the file holds a NUL character"
	if n := strings.Count(source.Text(), "\x00"); n > 1 {
		message = fmt.Sprintf("the file holds %d NUL characters", n)
	}
	d := diag.At(source, diag.Span{Start: i, End: i + 1}, diag.StrategyInvalidEncoding, "%s", message).
		WithHint("remove it; UTF-16 needs a byte order mark")
	return diag.List{d}
}

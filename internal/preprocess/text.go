package preprocess

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// decodeText turns bytes into text by looking at them, never at a file's name:
// UTF-8, UTF-16 with a byte order mark, or one of the old western encodings. ok
// is false for anything else. cut says that more bytes follow, so that the last
// character may be incomplete.
func decodeText(data []byte, cut bool) (text string, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0}):
		return decodeUTF16(data[2:], func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 })
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return decodeUTF16(data[2:], func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 })
	case bytes.HasPrefix(data, []byte("%PDF-")): // the beginning of one may be text
		return "", false
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.ContainsFunc(data, isBinary) {
		return "", false
	}
	if cut {
		data = wholeCharacters(data)
	}
	if utf8.Valid(data) {
		return string(data), true
	}
	return decodeWestern(data)
}

// isBinary is true for control characters that no text has.
func isBinary(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\r\f\b\x1b", r) || r == 0x7F
}

// wholeCharacters drops a character that was cut in the middle.
func wholeCharacters(data []byte) []byte {
	for i := len(data) - 1; i >= 0 && i >= len(data)-utf8.UTFMax; i-- {
		if utf8.RuneStart(data[i]) {
			if !utf8.FullRune(data[i:]) {
				return data[:i]
			}
			break
		}
	}
	return data
}

func decodeUTF16(data []byte, unit func([]byte) uint16) (string, bool) {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, unit(data[i:]))
	}
	text := string(utf16.Decode(units))
	if strings.ContainsFunc(text, isBinary) {
		return "", false
	}
	return text, true
}

// decodeWestern takes bytes that are not UTF-8 as Windows-1252 if nearly all of
// them are ASCII, as in western languages; dense high bytes are not text.
func decodeWestern(data []byte) (string, bool) {
	high := 0
	for _, b := range data {
		if b >= 0x80 {
			high++
		}
	}
	if high*5 > len(data) {
		return "", false
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return "", false
	}
	return string(text), true
}

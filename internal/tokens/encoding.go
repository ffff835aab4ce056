package tokens

import (
	"bytes"
	"compress/flate"
	_ "embed" // the table
	"encoding/binary"
	"errors"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"
)

//go:embed o200k_base.flate
var table []byte

// Encoding is a table of tokens. It is safe for concurrent use.
type Encoding struct{ ranks map[string]int32 }

// Load reads the table of o200k_base.
func Load() (*Encoding, error) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(table)))
	if err != nil {
		return nil, err
	}
	text := string(raw) // of which all tokens are parts
	e := &Encoding{ranks: make(map[string]int32, 200_000)}
	for rank, at := int32(0), 0; at < len(text); rank++ {
		size, n := binary.Uvarint(raw[at:])
		if n <= 0 || uint64(len(text)-at-n) < size {
			return nil, errors.New("the table of tokens is damaged")
		}
		at += n
		e.ranks[text[at:at+int(size)]] = rank
		at += int(size)
	}
	return e, nil
}

// blank is the white space of Unicode, for a class of characters.
const blank = `\t\n\v\f\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`

// word is how the encoding cuts a text before it looks for tokens. What it also
// has, white space that is followed by nothing else, [Encoding.Count] looks at
// itself: this engine cannot look ahead. It is made when it is first needed: that
// takes longer than most commands do before they begin.
var word = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}` +
		`| ?[^` + blank + `\p{L}\p{N}]+[\r\n/]*` +
		`|[` + blank + `]*[\r\n]+` +
		`|([` + blank + `]+)`)
})

// Count is how many tokens a text has.
func (e *Encoding) Count(text string) int {
	total := 0
	for len(text) > 0 {
		at := word().FindStringSubmatchIndex(text)
		if at == nil || at[1] == at[0] {
			return total + e.count(text)
		}
		if at[0] > 0 { // bytes that are no character
			total += e.count(text[:at[0]])
		}
		end := at[1]
		if at[2] >= 0 && end < len(text) { // the last blank goes with the word behind it
			_, size := utf8.DecodeLastRuneInString(text[at[0]:end])
			if end-size > at[0] {
				end -= size
			}
		}
		total += e.count(text[at[0]:end])
		text = text[end:]
	}
	return total
}

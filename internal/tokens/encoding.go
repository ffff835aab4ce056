package tokens

import (
	"bytes"
	"compress/flate"
	_ "embed" // the table
	"encoding/binary"
	"errors"
	"io"
	"strings"
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

// Count is how many tokens a text has.
func (e *Encoding) Count(text string) int {
	n, _ := e.Counter(len(text)).Count(text)
	return n
}

// Limits of what a Counter remembers.
const (
	maxKnown     = 1 << 14 // words that are no token
	maxKnownWord = 64      // bytes of one
)

// Counter counts many texts, and remembers words that they share. It is for one goroutine at a time.
type Counter struct {
	encoding *Encoding
	classes  *classes
	known    map[string]int
	long     int
}

// LongWord is from how many bytes on a word is long. No language has such words: they are data, and take longer by the byte than
// everything else.
const LongWord = 4 << 10

// Counter makes one that takes so many bytes of long words in all.
func (e *Encoding) Counter(long int) *Counter {
	return &Counter{encoding: e, classes: newClasses(), known: map[string]int{}, long: long}
}

// Count is how many tokens a text has; ok is false if its long words are more than are taken.
func (c *Counter) Count(text string) (n int, ok bool) {
	for at := 0; at < len(text); {
		end := c.classes.word(text, at)
		word := text[at:end]
		at = end
		if _, is := c.encoding.ranks[word]; is {
			n++
			continue
		}
		if len(word) >= LongWord {
			if c.long -= len(word); c.long < 0 {
				return 0, false
			}
		}
		size, met := c.known[word]
		if !met {
			size = c.encoding.count(word)
			if len(word) <= maxKnownWord && len(c.known) < maxKnown {
				c.known[strings.Clone(word)] = size
			}
		}
		n += size
	}
	return n, true
}

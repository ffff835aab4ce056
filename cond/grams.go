package cond

import "strings"

// gramIndex finds which of many texts occur in another one, in a single pass:
// each text is found by four of its bytes that few others have, looked up at
// every offset, after a filter of bits that almost every offset ends at. Texts
// shorter than four bytes have grams of their own length, and a pass of their
// own. A few texts are faster to look for one by one.
type gramIndex struct {
	few    []gramText
	tables [gramSize]*gramTable // by length of the gram, less one; nil: none
}

const (
	gramSize = 4
	fewTexts = 6
)

// gramTable holds the texts that are found by grams of one length.
type gramTable struct {
	size   int
	filter []uint64
	mask   uint32
	texts  map[uint32][]gramText // by gram
}

type gramText struct {
	text   string
	offset int32 // of the gram in the text
	bucket int32
}

// newGramIndex indexes texts, each with its bucket. Empty texts occur
// everywhere and must not be given.
func newGramIndex(texts map[string]int32) *gramIndex {
	g := &gramIndex{}
	if len(texts) <= fewTexts {
		for text, bucket := range texts {
			g.few = append(g.few, gramText{text: text, bucket: bucket})
		}
		return g
	}
	var sizes [gramSize]int
	counts := make(map[uint32]int32, 4*len(texts))
	for text := range texts {
		sizes[gramOf(text)-1]++
		for i := 0; i+gramSize <= len(text); i++ {
			counts[gram(text, i, gramSize)]++
		}
	}
	for i, n := range sizes {
		if n > 0 {
			g.tables[i] = newGramTable(i+1, n)
		}
	}
	for text, bucket := range texts {
		size := gramOf(text)
		best := 0
		for i := 1; i+gramSize <= len(text); i++ {
			if counts[gram(text, i, gramSize)] < counts[gram(text, best, gramSize)] {
				best = i
			}
		}
		g.tables[size-1].add(gramText{text: text, offset: int32(best), bucket: bucket})
	}
	return g
}

// gramOf is how long the gram of a text is.
func gramOf(text string) int { return min(len(text), gramSize) }

func newGramTable(size, texts int) *gramTable {
	bits := uint32(1 << 10)
	for bits < uint32(16*texts) && bits < 1<<22 {
		bits <<= 1
	}
	return &gramTable{size: size, filter: make([]uint64, bits/64), mask: bits - 1, texts: make(map[uint32][]gramText, texts)}
}

func (t *gramTable) add(text gramText) {
	key := gram(text.text, int(text.offset), t.size)
	t.texts[key] = append(t.texts[key], text)
	bit := hashGram(key) & t.mask
	t.filter[bit/64] |= 1 << (bit % 64)
}

func gram(text string, at, size int) uint32 {
	if size == gramSize {
		return uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24
	}
	key := uint32(0)
	for i := range size {
		key |= uint32(text[at+i]) << (8 * i)
	}
	return key
}

func hashGram(g uint32) uint32 {
	g *= 0x9E3779B1
	return g ^ g>>15
}

// scan calls found for the bucket of every text that occurs, perhaps several
// times. False: comparing would have taken too long, and some may be missing.
func (g *gramIndex) scan(text string, found func(bucket int32)) bool {
	for _, e := range g.few {
		if strings.Contains(text, e.text) {
			found(e.bucket)
		}
	}
	for _, t := range g.tables {
		if t != nil && !t.scan(text, found) {
			return false
		}
	}
	return true
}

// comparisons is how many there may be for each byte of a text, of 32 bytes each: a text
// of one letter has the gram of some texts everywhere, and nearly all of them.
const comparisons = 8

func (t *gramTable) scan(text string, found func(bucket int32)) bool {
	if len(text) < t.size {
		return true
	}
	left := comparisons * (len(text) + 128)
	// The gram moves along by one byte at each offset.
	shift := 8 * (t.size - 1)
	key := gram(text, 0, t.size)
	for i := 0; ; i++ {
		bit := hashGram(key) & t.mask
		if t.filter[bit/64]&(1<<(bit%64)) != 0 {
			for _, e := range t.texts[key] {
				if start := i - int(e.offset); start >= 0 && strings.HasPrefix(text[start:], e.text) {
					found(e.bucket)
				}
				left -= 1 + len(e.text)/32
			}
			if left < 0 {
				return false
			}
		}
		if i+t.size >= len(text) {
			return true
		}
		key = key>>8 | uint32(text[i+t.size])<<shift
	}
}

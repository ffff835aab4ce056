package cond

import "strings"

// gramIndex finds which of many texts occur in another one, in a single pass:
// each text is found by four of its bytes that few others have, looked up at
// every place, behind a filter of bits that almost every place ends at. Texts
// shorter than four bytes are looked up whole.
type gramIndex struct {
	filter []uint64
	mask   uint32
	grams  map[uint32][]gramText
	short  [4]map[string]int32 // by length: text → bucket
}

type gramText struct {
	text   string
	offset int32 // of the four bytes in the text
	bucket int32
}

const gramSize = 4

// newGramIndex indexes texts, each with its bucket. Empty texts occur
// everywhere and must not be given.
func newGramIndex(texts map[string]int32) *gramIndex {
	g := &gramIndex{grams: make(map[uint32][]gramText, len(texts))}
	bits := uint32(1 << 10)
	for bits < uint32(16*len(texts)) && bits < 1<<22 {
		bits <<= 1
	}
	g.filter, g.mask = make([]uint64, bits/64), bits-1
	counts := make(map[uint32]int32, 4*len(texts))
	for text := range texts {
		for i := 0; i+gramSize <= len(text); i++ {
			counts[gram(text, i)]++
		}
	}
	for text, bucket := range texts {
		if len(text) < gramSize {
			if g.short[len(text)] == nil {
				g.short[len(text)] = map[string]int32{}
			}
			g.short[len(text)][text] = bucket
			continue
		}
		best := 0
		for i := 1; i+gramSize <= len(text); i++ {
			if counts[gram(text, i)] < counts[gram(text, best)] {
				best = i
			}
		}
		key := gram(text, best)
		g.grams[key] = append(g.grams[key], gramText{text: text, offset: int32(best), bucket: bucket})
		bit := hashGram(key) & g.mask
		g.filter[bit/64] |= 1 << (bit % 64)
	}
	return g
}

func gram(text string, at int) uint32 {
	return uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24
}

func hashGram(g uint32) uint32 {
	g *= 0x9E3779B1
	return g ^ g>>15
}

// scan calls found for the bucket of every text that occurs, perhaps several
// times.
func (g *gramIndex) scan(text string, found func(bucket int32)) {
	for length, texts := range g.short {
		if texts == nil {
			continue
		}
		for i := 0; i+length <= len(text); i++ {
			if bucket, ok := texts[text[i:i+length]]; ok {
				found(bucket)
			}
		}
	}
	if len(g.grams) == 0 {
		return
	}
	for i := 0; i+gramSize <= len(text); i++ {
		key := gram(text, i)
		bit := hashGram(key) & g.mask
		if g.filter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		for _, e := range g.grams[key] {
			if start := i - int(e.offset); start >= 0 && strings.HasPrefix(text[start:], e.text) {
				found(e.bucket)
			}
		}
	}
}

package tokens

import "container/heap"

// count is how many tokens a word is made of: its bytes, of which again and again
// those two neighbours become one that are the token of the lowest rank.
func (e *Encoding) count(word string) int {
	if _, ok := e.ranks[word]; ok {
		return 1
	}
	m := &merging{word: word, ranks: e.ranks, next: make([]int, len(word)+1), last: make([]int, len(word)+1)}
	for i := range m.next {
		m.next[i], m.last[i] = i+1, i-1
	}
	for i := range len(word) - 1 {
		m.offer(i)
	}
	count := len(word)
	for m.Len() > 0 {
		p := heap.Pop(m).(pair)
		if m.next[p.start] != p.middle || m.next[p.middle] != p.end {
			continue // one of the two has become a part of another
		}
		m.next[p.start], m.next[p.middle] = p.end, -1
		if p.end < len(m.last) {
			m.last[p.end] = p.start
		}
		count--
		m.offer(p.start)
		if before := m.last[p.start]; before >= 0 {
			m.offer(before)
		}
	}
	return count
}

// pair is two neighbours that are a token together.
type pair struct {
	rank               int32
	start, middle, end int // offsets in the word
}

// merging is one word on its way. Its heap keeps long words, which hostile files
// have, from taking quadratic time.
type merging struct {
	word       string
	ranks      map[string]int32
	next, last []int // of each part, by its offset
	pairs      []pair
}

// offer takes in the part at an offset and its neighbour, if they are a token.
func (m *merging) offer(start int) {
	middle := m.next[start]
	if middle >= len(m.word) {
		return
	}
	end := m.next[middle]
	if rank, ok := m.ranks[m.word[start:end]]; ok {
		heap.Push(m, pair{rank, start, middle, end})
	}
}

func (m *merging) Len() int { return len(m.pairs) }
func (m *merging) Less(i, j int) bool {
	a, b := m.pairs[i], m.pairs[j]
	return a.rank < b.rank || a.rank == b.rank && a.start < b.start
}
func (m *merging) Swap(i, j int) { m.pairs[i], m.pairs[j] = m.pairs[j], m.pairs[i] }
func (m *merging) Push(p any)    { m.pairs = append(m.pairs, p.(pair)) }
func (m *merging) Pop() any {
	last := m.pairs[len(m.pairs)-1]
	m.pairs = m.pairs[:len(m.pairs)-1]
	return last
}

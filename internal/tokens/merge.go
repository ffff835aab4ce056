package tokens

import "slices"

// count is how many tokens a word is made of: its bytes, of which again and again
// those two neighbours become one that are the token of the lowest rank.
func (e *Encoding) count(word string) int {
	if len(word) <= shortWord {
		return e.countShort(word)
	}
	return e.countLong(word)
}

// shortWord is up to how many bytes the best pair is looked for each time: that takes less than a heap.
const shortWord = 64

// countShort is count without memory of its own.
func (e *Encoding) countShort(word string) int {
	var starts [shortWord + 1]int // of the parts, and the end
	var ranks [shortWord]int32    // of a part and its neighbour together; -1: they are no token
	n := len(word)
	for i := range n + 1 {
		starts[i] = i
	}
	rank := func(i int) int32 {
		if i+2 > n {
			return -1
		}
		if r, ok := e.ranks[word[starts[i]:starts[i+2]]]; ok {
			return r
		}
		return -1
	}
	for i := range n {
		ranks[i] = rank(i)
	}
	for {
		best := -1
		for i := range n {
			if ranks[i] >= 0 && (best < 0 || ranks[i] < ranks[best]) {
				best = i
			}
		}
		if best < 0 {
			return n
		}
		copy(starts[best+1:n], starts[best+2:n+1])
		copy(ranks[best+1:n-1], ranks[best+2:n])
		n--
		ranks[best] = rank(best)
		if best > 0 {
			ranks[best-1] = rank(best - 1)
		}
	}
}

// merging is one long word on its way. Its heap keeps such words, which hostile files
// have, from taking quadratic time.
type merging struct {
	word       string
	encoding   *Encoding
	next, last []int32 // of each part, by its offset
	ranks      []int32 // of each part and the next one together; -1: they are no token
	pairs      []pair  // a heap, also of pairs that there are no more
}

// pair is two neighbours that are a token together: its rank, then the offset of the
// first. The lowest comes first, of equal ones the first in the word.
type pair uint64

func newPair(rank, start int32) pair { return pair(uint64(rank)<<32 | uint64(uint32(start))) }
func (p pair) rank() int32           { return int32(p >> 32) }
func (p pair) start() int32          { return int32(uint32(p)) }

// countLong is count with a heap.
func (e *Encoding) countLong(word string) int {
	size := int32(len(word))
	m := &merging{word: word, encoding: e, next: make([]int32, size+1), last: make([]int32, size+1), ranks: make([]int32, size+1)}
	for i := range size + 1 {
		m.next[i], m.last[i] = i+1, i-1
	}
	for i := range size {
		if m.ranks[i] = m.rank(i); m.ranks[i] >= 0 {
			m.pairs = append(m.pairs, newPair(m.ranks[i], i))
		}
	}
	slices.Sort(m.pairs) // what is sorted is a heap
	count := len(word)
	for len(m.pairs) > 0 {
		p := m.pop()
		at := p.start()
		if m.ranks[at] != p.rank() {
			continue // one of the two has become a part of another
		}
		middle := m.next[at]
		end := m.next[middle]
		m.next[at], m.last[end], m.ranks[middle] = end, at, -1
		count--
		m.offer(at)
		if before := m.last[at]; before >= 0 {
			m.offer(before)
		}
	}
	return count
}

// rank is that of the part at an offset and its neighbour; -1: they are no token.
func (m *merging) rank(at int32) int32 {
	middle := m.next[at]
	if int(middle) >= len(m.word) {
		return -1
	}
	if rank, ok := m.encoding.ranks[m.word[at:m.next[middle]]]; ok {
		return rank
	}
	return -1
}

// offer takes in the part at an offset and its neighbour, if they are a token.
func (m *merging) offer(at int32) {
	if m.ranks[at] = m.rank(at); m.ranks[at] < 0 {
		return
	}
	m.pairs = append(m.pairs, newPair(m.ranks[at], at))
	for i := len(m.pairs) - 1; i > 0; {
		up := (i - 1) / 2
		if m.pairs[up] <= m.pairs[i] {
			break
		}
		m.pairs[up], m.pairs[i] = m.pairs[i], m.pairs[up]
		i = up
	}
}

// pop takes the first pair out of the heap.
func (m *merging) pop() pair {
	first := m.pairs[0]
	n := len(m.pairs) - 1
	m.pairs[0] = m.pairs[n]
	m.pairs = m.pairs[:n]
	for i := 0; ; {
		down := 2*i + 1
		if down >= n {
			return first
		}
		if down+1 < n && m.pairs[down+1] < m.pairs[down] {
			down++
		}
		if m.pairs[i] <= m.pairs[down] {
			return first
		}
		m.pairs[i], m.pairs[down] = m.pairs[down], m.pairs[i]
		i = down
	}
}

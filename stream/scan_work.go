package stream

import "sync"

// ScanWork is what scanners may do together, when they go over any number of texts: what one trigger takes in one text has a limit, but
// both may be a stranger's, and hundreds of triggers in hundreds of texts are many pairs. It is in proportion to the texts, so that a large
// project may take as long as it is large. When it is used up, triggers that have had more than their share of it are no longer tried where
// that is slow: they are undecided in the texts that follow, and where a match starts is no longer looked for. All others go on.
//
// It is safe for concurrent use, as scanners on several cores share it.
type ScanWork struct {
	mu      sync.Mutex
	allowed int   // steps, of a few nanoseconds each
	spent   int   // by all triggers
	each    []int // by each of them
}

// workSteps and workBytes are what all texts may take: so many steps, and so many for each byte of them.
const (
	workSteps = 128 << 20
	workBytes = 128
)

// ScanWork is that of scanners of this set.
func (s *Set) ScanWork() *ScanWork {
	return &ScanWork{allowed: workSteps, each: make([]int, s.Len())}
}

// Scanner gives a new scanner that does no more, with the others of this work.
func (w *ScanWork) Scanner(s *Set) *Scanner {
	c := s.Scanner()
	c.work = w
	return c
}

// Spent is how many steps were taken.
func (w *ScanWork) Spent() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spent
}

// begin takes note of a text.
func (w *ScanWork) begin(text string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allowed += workBytes * len(text)
}

// over tells whether a trigger has had its share, and nothing is left of those of the others.
func (w *ScanWork) over(trigger int) bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spent >= w.allowed && w.each[trigger] >= w.allowed/len(w.each)
}

// spend counts the steps of a trigger.
func (w *ScanWork) spend(trigger, steps int) {
	if w == nil || steps <= 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spent += steps
	w.each[trigger] += steps
}

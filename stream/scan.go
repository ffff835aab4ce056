package stream

import (
	"math"
	"slices"
	"sync"

	"github.com/pertain-dev/pertain/internal/regex/look"
)

// Match is a part of a text that a trigger matches.
type Match struct {
	Trigger    int
	Start, End int // in bytes
}

// scanSteps and scanBytes bound the steps, of a few nanoseconds each, for all
// matches of an expression in one text: so many, and so many for each byte. When more
// than a few expressions are to be tried in a text, each has less, down to a
// sixteenth.
const (
	scanSteps = 4 << 20
	scanBytes = 256
	scanFew   = 16 // expressions
	scanLeast = 16
)

// scanEffort gives the steps for one expression of so many, in a text of so many bytes.
func scanEffort(expressions, size int) int {
	return (scanSteps + scanBytes*size) / min(max(expressions/scanFew, 1), scanLeast)
}

// Scanner looks for all triggers of a set in one whole text after the other. It is
// not safe for concurrent use; any number of them may share a set.
type Scanner struct {
	set       *Set
	stream    *Stream
	text      string
	met       []met
	index     map[uint32]int32   // index in met by expression
	verified  map[int32]struct{} // expressions that are to be searched for
	tracer    tracer
	finder    look.Finder
	linear    bool      // texts are read without trying the backtracking machine first
	undecided undecided // of the last text
	work      *ScanWork // of all texts; nil: they have no limit together
	most      int       // of the matches of a trigger that are kept; 0: all are
	each      int       // the same of an expression of others than the user
	more      []int     // by trigger: the matches that were left out; nil: none are
}

// Scanner gives a new scanner.
func (s *Set) Scanner() *Scanner {
	return &Scanner{set: s, stream: s.Stream(), index: make(map[uint32]int32), verified: make(map[int32]struct{})}
}

// Scan gives the matches of all triggers in a text, for each trigger at most one that
// starts in each line, in the order of their starts. The slice is the caller's.
//
// Those of an expression follow one another without overlapping, as in JavaScript's
// matchAll, but each is the one that ends first, where a stream would have fired. Of
// several that end at the same offset it is the one that starts first in the line of
// its last character or, if none starts in that line, the one that starts first. So
// \s*foo after empty lines is found in the line of foo, and foo\n in the line that it
// ends. Of the matches that start in one line the first is given, and if a trigger has
// several patterns the one that ends first. After the last line feed is one more
// line, which may be empty.
//
// Expressions with look-around or back-references end where JavaScript's do, which may
// be later. If it is too hard to say where a match starts or ends, as it may be for
// expressions that are made for that, its last character is given, or where the first
// match from its start ends.
func (c *Scanner) Scan(text string) []Match {
	c.stream.Reset()
	// Look-around is searched for below, in the whole text: the stream's part of it
	// is not needed.
	c.stream.verifier = nil
	c.stream.every = c.matched
	c.text, c.tracer.text, c.met, c.undecided = text, text, c.met[:0], undecided{}
	clear(c.index)
	clear(c.verified)
	for i, l := range c.set.verified {
		if l.always && !l.early {
			c.verified[int32(i)] = struct{}{}
		}
	}
	c.work.begin(text)
	c.bound()
	c.stream.Feed(text)
	c.stream.End()
	var out []Match
	for i := range c.met {
		m := &c.met[i]
		trigger, steps := int(c.set.expressions[m.expression].trigger), scanEffort(len(c.met), len(text))
		if c.work.over(trigger) {
			steps = 0
		}
		c.tracer.steps = steps
		switch {
		case m.nullable:
			out = c.everywhere(m.expression, out)
		case m.crosses:
			out = c.overLines(m, out)
		default:
			out = c.inLines(m, out)
		}
		c.work.spend(trigger, steps-c.tracer.steps)
	}
	for i := range c.verified {
		out = c.search(c.set.verified[i], out)
	}
	out = c.oneEach(out)
	c.text, c.tracer.text = "", ""
	return out
}

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

// Scanner gives a new scanner that shares this work with the others that were made of it.
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

// Keep bounds what Scan gives of each trigger: its matches in the first so many lines that have one. What a scan takes would otherwise grow as
// the lines times the triggers, both of which may be a stranger's. 0: all, as from the start. [Scanner.More] counts the others.
//
// Where a set has hundreds of thousands of expressions, less is kept of those of triggers that are not the user's own.
func (c *Scanner) Keep(most int) { c.most = max(most, 0) }

// More counts the matches of a trigger that the last Scan has left out. A line in which several patterns of one trigger match counts for each.
func (c *Scanner) More(trigger int) int {
	if c.more == nil {
		return 0
	}
	return c.more[trigger]
}

// maxKept is about how many matches of all expressions of others than the user are kept, where there is a bound.
const maxKept = 1 << 20

// bound begins with a text.
func (c *Scanner) bound() {
	c.each = math.MaxInt
	if c.most == 0 {
		c.more = nil
		return
	}
	c.each = max(1, min(c.most, maxKept/max(len(c.set.expressions), 1)))
	if c.more == nil {
		c.more = make([]int, len(c.set.triggers))
	}
	clear(c.more)
}

// limit is how many matches of each expression of a trigger are kept.
func (c *Scanner) limit(trigger int) int {
	if c.most > 0 && c.set.triggers[trigger].Own {
		return c.most
	}
	return c.each
}

// take takes a match of an expression, of which so many were taken before, unless that is the limit.
func (c *Scanner) take(out []Match, m Match, taken *int) []Match {
	if *taken++; *taken > c.limit(m.Trigger) {
		c.more[m.Trigger]++
		return out
	}
	return append(out, m)
}

// lines are the lines in which an expression has matched, which are counted as their matches come: not in order, but for those of one stretch of
// text after those of all stretches before.
type lines struct {
	count   int
	stretch int64    // where the stretch began that is counted
	until   int      // the end of the last line that was counted in stretches before
	last    int      // the same with this stretch
	here    lineBits // the lines of this stretch that were counted, by the offset in it at which they begin; one that began before: 0
}

// lineBits has a bit for each offset of a stretch, which may be longer by what a character is cut short by.
type lineBits [stretch/64 + 1]uint64

func newLines() lines { return lines{stretch: -1, last: -1} }

// add counts a line, once, whose match is told in a stretch.
func (s *lines) add(l line, stretch int64) {
	if s.stretch != stretch {
		s.stretch, s.until, s.here = stretch, s.last, lineBits{}
	}
	at := max(l.from-int(stretch), 0)
	if bit := uint64(1) << (at & 63); l.to > s.until && s.here[at>>6]&bit == 0 {
		s.here[at>>6] |= bit
		s.count++
		s.last = max(s.last, l.to)
	}
}

// keep takes note of the end of a match that stays in a line, m.last: the first of each of the first lines is kept, in order.
func (c *Scanner) keep(m *met, end int) {
	m.lines.add(m.last, c.stream.offset)
	at, _ := slices.BinarySearch(m.ends, m.last.from)
	switch {
	case at < len(m.ends) && m.ends[at] <= m.last.to:
		m.ends[at] = min(m.ends[at], end)
	case len(m.ends) < m.limit:
		m.ends = slices.Insert(m.ends, at, end)
	case at < len(m.ends): // it comes before one that is kept
		copy(m.ends[at+1:], m.ends[at:])
		m.ends[at] = end
	}
}

package stream

import (
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
)

// Most expressions with look-around are found fastest by the backtracking machine,
// which looks at little more than where one may start. It gets so many steps, and so
// many for each byte of the text, which is about what it takes to read the text as
// [regex.Reading] does; if that is not enough, the text is read.
const (
	hastySteps = 16 << 10
	hastyBytes = 4
)

// search finds the matches of an expression with look-around or back-references.
func (c *Scanner) search(l *look, out []Match) []Match {
	size := len(c.text)
	all := scanEffort(len(c.looks), size)
	if !l.re.Refers() {
		if hasty := min(hastySteps+hastyBytes*size, all); !c.reads {
			if found, done := c.backtrack(l, out, regex.Steps{Start: hasty, All: hasty}, false); done {
				return found
			}
		}
		c.reading.Steps = all
		defer c.reading.Forget()
		if code := c.set.readings.code(l); code != nil && c.reading.Read(code, c.text) {
			return c.read(l, out)
		}
	}
	out, _ = c.backtrack(l, out, regex.Steps{Start: startSteps + startBytes*size, All: all}, true)
	return out
}

// backtrack searches with the backtracking machine. If it has to give something up
// it takes note of that, if it is the last to search; if it is not, it stops, and done
// is false.
func (c *Scanner) backtrack(l *look, out []Match, steps regex.Steps, last bool) (_ []Match, done bool) {
	machine, crosses := l.scanned()
	known := regex.Known{End: true}
	chain := c.chain(crosses)
	for from := 0; from <= len(c.text); {
		found := machine.Search(c.text, from, known, steps, nil)
		if !last && (found.Stopped || len(found.GivenUp) > 0) {
			return out, false
		}
		for _, s := range found.GivenUp {
			c.giveUp(l, s.From, s.To, StepLimit)
		}
		if found.Stopped {
			c.giveUp(l, found.Next, len(c.text)+1, WorkLimit)
		}
		if !found.Matched {
			break
		}
		start := found.Start
		if near := c.lastLine(start, found.End); near > start {
			again := machine.Search(c.text, near, known, steps, nil)
			if again.Matched && again.End == found.End {
				start = again.Start
			}
			steps.All -= again.Steps
		}
		out, from = chain.take(out, Match{int(l.trigger), start, found.End}, found.Start)
		if steps.All -= found.Steps + searchSteps; steps.All <= 0 {
			if from > len(c.text) {
				break
			}
			if !last {
				return out, false
			}
			c.giveUp(l, from, len(c.text)+1, WorkLimit)
			break
		}
	}
	return out, true
}

// read searches in a text that was read. It takes time in proportion to the text: when
// the steps are used up that it may take to say where a match ends, each ends as early
// as one can.
func (c *Scanner) read(l *look, out []Match) []Match {
	_, crosses := l.scanned()
	chain := c.chain(crosses)
	for from := 0; from <= len(c.text); {
		first, end := c.reading.Next(from)
		if first < 0 {
			break
		}
		start := first
		if near := c.lastLine(first, end); near > first && c.reading.Steps > 0 {
			if s, e := c.reading.Next(near); s >= 0 && e == end {
				start = s
			}
		}
		out, from = chain.take(out, Match{int(l.trigger), start, end}, first)
	}
	return out
}

// chain puts the matches of an expression one behind the other, of those that start
// in one line the first.
type chain struct {
	*Scanner
	crosses bool // a match may hold a line feed
	until   int  // the end of the line in which the last match starts that was taken
}

func (c *Scanner) chain(crosses bool) *chain { return &chain{c, crosses, -1} }

// take takes a match, which starts first at a place that may be before the one that is
// told, and gives the place from which the next is to be searched for.
func (c *chain) take(out []Match, m Match, first int) (_ []Match, from int) {
	if m.Start > c.until {
		out = append(out, m)
		c.until = c.lineEnd(m.Start)
	}
	if !c.crosses {
		return out, c.until + 1
	}
	return out, c.behind(first, m.End)
}

// searchSteps is what beginning a search takes, in steps.
const searchSteps = 32

func (c *Scanner) giveUp(l *look, from, to int, why Reason) {
	c.undecided.places(int(l.trigger), l.pattern, why, c.text, 0, span{int64(from), int64(to)})
}

// readings are those codes of a set's expressions that a scan had to read a text with.
type readings struct {
	mu    sync.Mutex
	codes map[*look]*regex.ReadingCode
	size  int // instructions in them
}

// maxReadings bounds the codes that are kept, in instructions of some hundred bytes.
const maxReadings = 64 << 10

// code gives that of an expression; nil if it has none.
func (r *readings) code(l *look) *regex.ReadingCode {
	r.mu.Lock()
	defer r.mu.Unlock()
	if code, ok := r.codes[l]; ok {
		return code
	}
	code := l.re.ReadingCode()
	if r.size += 1 + code.Size(); r.codes == nil || r.size > maxReadings {
		r.codes = make(map[*look]*regex.ReadingCode)
		r.size = 1 + code.Size()
	}
	r.codes[l] = code
	return code
}

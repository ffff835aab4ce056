package stream

import (
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// Most expressions with look-around are found fastest by the backtracking machine,
// which looks at little more than where one may start. It gets so many steps, and so
// many for each byte of the text, which is about what it takes to read the text as
// [look.Finder] does; if that is not enough, the finder takes over.
const (
	hastySteps = 16 << 10
	hastyBytes = 4
)

// readSteps is what a finder takes to read a byte, in steps, and readPart how many instructions of its code take one more.
const (
	readSteps = 4
	readPart  = 16
)

// search finds the matches of an expression with look-around or back-references.
func (c *Scanner) search(l *verified, out []Match) []Match {
	size := len(c.text)
	if c.work.over(int(l.trigger)) {
		c.giveUp(l, 0, size+1, WorkLimit)
		return out
	}
	all := scanEffort(len(c.verified), size)
	if !l.re.Refers() {
		if hasty := min(hastySteps+hastyBytes*size, all); !c.linear {
			more := c.More(int(l.trigger))
			if found, done := c.backtrack(l, out, regex.Steps{Start: hasty, All: hasty}, false); done {
				return found
			}
			if c.more != nil { // what it left out is found again
				c.more[l.trigger] = more
			}
		}
		c.finder.Steps = all
		defer c.finder.Release()
		code := c.set.lookPrograms.of(l)
		if code != nil {
			c.work.spend(int(l.trigger), size*(readSteps+code.Size()/readPart))
		}
		if code != nil && c.finder.Load(code, c.text) {
			out = c.find(l, out)
			c.work.spend(int(l.trigger), all-c.finder.Steps)
			return out
		}
	}
	out, _ = c.backtrack(l, out, regex.Steps{Start: int(effort.StartSteps.At(int64(size))), All: all}, true)
	return out
}

// backtrack searches with the backtracking machine. If it has to give something up
// it takes note of that, if it is the last to search; if it is not, it stops, and done
// is false.
func (c *Scanner) backtrack(l *verified, out []Match, steps regex.Steps, last bool) (_ []Match, done bool) {
	machine, crosses := l.scanned()
	known := regex.Known{End: true}
	chain := c.chain(crosses)
	for from := 0; from <= len(c.text); {
		if steps.All <= 0 { // what was found has used them up
			if last {
				c.giveUp(l, from, len(c.text)+1, WorkLimit)
			}
			return out, last
		}
		found := machine.Search(c.text, from, known, steps, nil)
		c.work.spend(int(l.trigger), found.Steps+searchSteps)
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
			c.work.spend(int(l.trigger), again.Steps)
		}
		out, from = chain.take(out, Match{int(l.trigger), start, found.End}, found.Start)
		steps.All -= found.Steps + searchSteps
	}
	return out, true
}

// find searches in a text that was read. It takes time in proportion to the text: when
// the steps are used up that it may take to say where a match ends, each ends as early
// as one can.
func (c *Scanner) find(l *verified, out []Match) []Match {
	_, crosses := l.scanned()
	chain := c.chain(crosses)
	for from := 0; from <= len(c.text); {
		first, end := c.finder.Next(from)
		if first < 0 {
			break
		}
		start := first
		if near := c.lastLine(first, end); near > first && c.finder.Steps > 0 {
			if s, e := c.finder.Next(near); e == end {
				start = s
			}
		}
		out, from = chain.take(out, Match{int(l.trigger), start, end}, first)
	}
	return out
}

// chain puts the matches of an expression one after the other, of those that start
// in one line the first.
type chain struct {
	*Scanner
	crosses bool // a match may hold a line feed
	until   int  // the end of the line in which the last match starts that was taken
	taken   int  // how many were
}

func (c *Scanner) chain(crosses bool) *chain { return &chain{c, crosses, -1, 0} }

// take takes a match, which starts first at an offset that may be before the one that is
// told, and gives the offset from which the next is to be searched for.
func (c *chain) take(out []Match, m Match, first int) (_ []Match, from int) {
	if m.Start > c.until {
		out = c.Scanner.take(out, m, &c.taken)
		c.until = c.lineEnd(m.Start)
	}
	if !c.crosses {
		return out, c.until + 1
	}
	return out, c.after(first, m.End)
}

// searchSteps is what beginning a search takes, in steps.
const searchSteps = 32

func (c *Scanner) giveUp(l *verified, from, to int, why Reason) {
	c.undecided.offsets(int(l.trigger), l.pattern, why, c.text, 0, span{int64(from), int64(to)})
}

// lookPrograms are those codes of a set's expressions that a scan had to read a text with.
type lookPrograms struct {
	mu       sync.Mutex
	programs map[*verified]*look.Program
	size     int // instructions in them
}

// maxLookPrograms bounds the codes that are kept, in instructions of some hundred bytes.
const maxLookPrograms = 64 << 10

// of gives that of an expression; nil if it has none.
func (r *lookPrograms) of(l *verified) *look.Program {
	r.mu.Lock()
	defer r.mu.Unlock()
	if code, ok := r.programs[l]; ok {
		return code
	}
	code := look.Compile(l.re.Tree())
	if r.size += 1 + code.Size(); r.programs == nil || r.size > maxLookPrograms {
		r.programs = make(map[*verified]*look.Program)
		r.size = 1 + code.Size()
	}
	r.programs[l] = code
	return code
}

package stream

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
)

// Match is a place in a text that a trigger matches.
type Match struct {
	Trigger    int
	Start, End int // in bytes
}

// scanSteps and scanBytes bound the steps, of a few nanoseconds each, for all
// matches of an expression with look-around in one text: so many, and so many for
// each byte. When more than a few expressions are to be tried in a text, each has
// less, down to a sixteenth.
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
	set    *Set
	stream *Stream
	text   string
	// last has, for each expression that has matched, the line of its last match: it
	// is not looked at again there. Lines do not come in order.
	last      map[uint32]line
	lines     []Match // the ends of matches; expressions, not triggers
	looks     map[int32]bool
	undecided undecided // of the last text
}

// line is where a line begins and ends, without the line feed.
type line struct{ from, to int }

func (c *Scanner) line(at int) line {
	l := line{strings.LastIndexByte(c.text[:at], '\n') + 1, len(c.text)}
	if i := strings.IndexByte(c.text[at:], '\n'); i >= 0 {
		l.to = at + i
	}
	return l
}

// Scanner gives a new scanner.
func (s *Set) Scanner() *Scanner {
	c := &Scanner{set: s, stream: s.Stream(), last: make(map[uint32]line), looks: make(map[int32]bool)}
	return c
}

// Scan gives for each trigger and each line the first match that ends there, in the
// order of the text. The slice is the caller's.
func (c *Scanner) Scan(text string) []Match {
	c.stream.Reset()
	// Look-around is searched for below, in the whole text: the stream's part of it
	// is not needed.
	c.stream.looks = nil
	c.stream.every = c.matched
	c.text, c.lines, c.undecided = text, c.lines[:0], nil
	clear(c.last)
	clear(c.looks)
	for i, l := range c.set.looks {
		if l.always && !l.early {
			c.looks[int32(i)] = true
		}
	}
	c.stream.Feed(text)
	c.stream.End()
	c.firsts()
	var out []Match
	for _, m := range c.lines {
		e := c.set.expressions[m.Trigger]
		start := c.start(c.set.machine(uint32(m.Trigger)), m.End)
		out = append(out, Match{int(e.trigger), start, m.End})
	}
	for i := range c.looks {
		out = append(out, c.search(c.set.looks[i])...)
	}
	c.text = ""
	slices.SortFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Trigger, b.Trigger), cmp.Compare(a.Start, b.Start))
	})
	return slices.CompactFunc(out, func(a, b Match) bool { return a.Trigger == b.Trigger && a.End == b.End })
}

// matched is told every match of the automaton.
func (c *Scanner) matched(expression uint32, offset int64) {
	if look := c.set.expressions[expression].look; look >= 0 {
		c.looks[look] = true
		return
	}
	end := int(offset)
	if l, ok := c.last[expression]; ok && l.from <= end && end <= l.to {
		return
	}
	c.last[expression] = c.line(end)
	c.lines = append(c.lines, Match{int(expression), 0, end})
}

// firsts leaves each expression its first match in each line.
func (c *Scanner) firsts() {
	slices.SortFunc(c.lines, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Trigger, b.Trigger), cmp.Compare(a.End, b.End))
	})
	kept := c.lines[:0]
	for _, m := range c.lines {
		if n := len(kept); n == 0 || kept[n-1].Trigger != m.Trigger || m.End > c.line(kept[n-1].End).to {
			kept = append(kept, m)
		}
	}
	c.lines = kept
}

// machine gives the backtracking machine of an expression that the automaton
// decides, to find where a match starts.
func (s *Set) machine(expression uint32) *regex.Prefix {
	s.startersMu.Lock()
	defer s.startersMu.Unlock()
	if m, ok := s.starters[expression]; ok {
		return m
	}
	e := s.expressions[expression]
	re, bad := regex.Parse(e.pattern, s.options)
	if bad != nil {
		return nil // not reached: it was compiled before
	}
	s.starting += lookBase + len(e.pattern)
	if s.starters == nil || s.starting > maxStarting {
		s.starters = make(map[uint32]*regex.Prefix)
		s.starting = lookBase + len(e.pattern)
	}
	m := re.Prefix()
	s.starters[expression] = m
	return m
}

// maxStarting bounds the patterns whose machines are kept to find where a match
// starts, in bytes. A machine takes about a hundred times that.
const maxStarting = 128 << 10

// reach is how far before its end the start of a match is looked for beyond the
// begin of the line, in bytes.
const reach = 4 << 10

// start gives where a match starts that ends at end: in the same line if it can.
func (c *Scanner) start(machine *regex.Prefix, end int) int {
	line := strings.LastIndexByte(c.text[:end], '\n') + 1
	more := end
	if more < len(c.text) { // an assertion may want to see what follows
		_, size := utf8.DecodeRuneInString(c.text[more:])
		more += size
	}
	for _, from := range []int{line, max(line-reach, 0)} {
		for from > 0 && !boundary(c.text, from) {
			from--
		}
		known := regex.Known{End: more == len(c.text)}
		base := max(from-reach, 0)
		for base > 0 && !boundary(c.text, base) {
			base--
		}
		known.Cut = base > 0
		found := machine.Search(c.text[base:more], from-base, known, regex.Steps{Start: startSteps, All: scanSteps}, nil)
		if found.Matched && base+found.Start <= end {
			return base + found.Start
		}
	}
	_, size := utf8.DecodeLastRuneInString(c.text[:end])
	return end - size
}

// search finds the matches of an expression with look-around.
func (c *Scanner) search(l *look) []Match {
	var out []Match
	machine := l.machine()
	steps := regex.Steps{Start: startSteps + startBytes*len(c.text), All: scanEffort(len(c.looks), len(c.text))}
	for from := 0; from <= len(c.text); {
		found := machine.Search(c.text, from, regex.Known{End: true}, steps, nil)
		for _, s := range found.GivenUp {
			c.giveUp(l, s.From, s.To, StepLimit)
		}
		if found.Stopped {
			c.giveUp(l, found.Next, len(c.text), WorkLimit)
		}
		if !found.Matched {
			break
		}
		out = append(out, Match{int(l.trigger), found.Start, found.End})
		from = len(c.text) + 1
		if i := strings.IndexByte(c.text[found.End:], '\n'); i >= 0 {
			from = found.End + i + 1
		}
		if steps.All -= found.Steps; steps.All <= 0 {
			if from <= len(c.text) {
				c.giveUp(l, from, len(c.text), WorkLimit)
			}
			break
		}
	}
	return out
}

func (c *Scanner) giveUp(l *look, from, to int, why Reason) {
	c.undecided.add(Undecided{int(l.trigger), l.pattern, int64(from), int64(to), utf8.RuneCountInString(c.text[from:to]), why})
}

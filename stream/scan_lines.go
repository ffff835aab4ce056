package stream

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// line is where a line begins and ends, without the line feed.
type line struct{ from, to int }

// line gives the line of an offset. The offset before a line feed belongs to the line
// that it ends, and after the last line feed is one more line.
func (c *Scanner) line(at int) line {
	return line{strings.LastIndexByte(c.text[:at], '\n') + 1, c.lineEnd(at)}
}

func (c *Scanner) lineEnd(at int) int {
	if i := strings.IndexByte(c.text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(c.text)
}

// lastLine gives where the line begins in which the last character before end is, or
// from if it begins before that. Lines may be as long as the text: it looks no further.
func (c *Scanner) lastLine(from, end int) int {
	return from + strings.LastIndexByte(c.text[from:max(end-1, from)], '\n') + 1
}

// maxEnds is about how many ends of matches that may hold line feeds are kept for
// each expression. Those after are found again when it is their turn.
const (
	maxEnds = 1 << 10
	fewEnds = 1 << 4 // for each match that is kept, where these are few
)

// met is an expression that has matched in the text.
type met struct {
	expression uint32
	*trace
	last  line // of the last match; neither lines nor what is in them come in order
	least int  // the first end in that line
	// ends are those of matches: for an expression whose matches stay in a line, the
	// first of each line and perhaps more; for others all, or all up to some offset.
	ends    []int
	full    bool  // there are more
	stretch int64 // where the stretch began that the last end is in
	// Where a scanner does not keep all:
	limit int   // how many of its matches are kept
	lines lines // in which it matches, if its matches stay in a line
}

// meet gives the entry of an expression.
func (c *Scanner) meet(expression uint32) (m *met, first bool) {
	if i, ok := c.index[expression]; ok {
		return &c.met[i], false
	}
	n := len(c.met)
	c.index[expression] = int32(n)
	if n < cap(c.met) { // what is there is from the text before
		c.met = c.met[:n+1]
		c.met[n].ends = c.met[n].ends[:0]
	} else {
		c.met = append(c.met, met{})
	}
	m = &c.met[n]
	*m = met{expression: expression, trace: c.set.trace(expression), ends: m.ends, limit: c.limit(int(c.set.expressions[expression].trigger)), lines: newLines()}
	return m, true
}

// matched is told every match of the automaton.
func (c *Scanner) matched(expression uint32, offset int64) {
	if expr := c.set.expressions[expression].verified; expr >= 0 {
		c.verified[expr] = struct{}{}
		return
	}
	end := int(offset)
	m, first := c.meet(expression)
	if m.crosses {
		// They come in order but for those of one stretch of text, so the last that is
		// kept has to be all there.
		if m.full = len(m.ends) >= fewEnds*min(maxEnds/fewEnds, m.limit) && m.stretch != c.stream.offset; !m.full {
			m.ends, m.stretch = append(m.ends, end), c.stream.offset
		}
		return
	}
	if first || end < m.last.from || end > m.last.to {
		m.last = c.line(end)
	} else if end >= m.least {
		return
	}
	m.least = end
	if c.most > 0 {
		c.keep(m, end)
		return
	}
	m.ends = append(m.ends, end)
}

// inLines gives the first match of each line of an expression whose matches stay in
// a line.
func (c *Scanner) inLines(m *met, out []Match) []Match {
	trigger := int(c.set.expressions[m.expression].trigger)
	slices.Sort(m.ends)
	until, before := -1, len(out) // the end of the last line with a match
	for _, end := range m.ends {
		if end <= until {
			continue
		}
		l := c.line(end)
		until = l.to
		out = append(out, Match{trigger, c.startOf(m, end, l.from, l.from), end})
	}
	if c.most > 0 {
		c.more[trigger] += m.lines.count - (len(out) - before)
	}
	return out
}

// startOf is [tracer.back] for a match that is known to be there.
func (c *Scanner) startOf(m *met, end, near, least int) int {
	if len(m.insts) > smallTrace && c.tracer.steps > 0 {
		if start, ok := c.tracer.guess(m.trace, end, near); ok {
			return start
		}
	}
	start, ok := c.tracer.back(m.trace, end, near, least)
	if start < 0 && !ok { // too hard to say: its last character
		_, size := utf8.DecodeLastRuneInString(c.text[:end])
		return max(end-size, least)
	}
	return start
}

// overLines gives the matches of an expression that may hold line feeds, one after
// the other, and of those that start in one line the first.
func (c *Scanner) overLines(m *met, out []Match) []Match {
	e := c.set.expressions[m.expression]
	slices.Sort(m.ends)
	ends := m.ends
	until, taken := -1, 0 // the end of the line in which the last match starts that was taken, and how many were
	for from := 0; from <= len(c.text); {
		end, start := -1, -1
		for len(ends) > 0 && ends[0] <= from && start < 0 {
			if end = ends[0]; end == from { // after another match: an empty one
				start = c.startOf(m, end, from, from)
			}
			if start < 0 {
				ends = ends[1:]
			}
		}
		if start < 0 && len(ends) > 0 {
			end = ends[0]
			start = c.startOf(m, end, c.lastLine(from, end), from)
		}
		if start < 0 {
			// What ends there starts too early, or no end is known any more.
			if len(ends) == 0 && !m.full {
				break
			}
			var ok bool
			if end, ok = c.tracer.next(m.trace, from); !ok {
				c.undecided.offsets(int(e.trigger), int(e.index), WorkLimit, c.text, 0, span{int64(end), int64(len(c.text)) + 1})
				break
			}
			if end < 0 {
				break
			}
			start = c.startOf(m, end, c.lastLine(from, end), from)
		}
		if start > until {
			out = c.take(out, Match{int(e.trigger), start, end}, &taken)
			until = c.lineEnd(start)
		}
		from = c.after(start, end)
	}
	return out
}

// after gives the first offset at which a match may start that comes after another:
// after an empty one there has to be a character in between.
func (c *Scanner) after(start, end int) int {
	if start < end {
		return end
	}
	_, size := utf8.DecodeRuneInString(c.text[end:])
	return end + max(size, 1)
}

// everywhere gives the matches of an expression that matches the empty text: one at
// the start of each line.
func (c *Scanner) everywhere(expression uint32, out []Match) []Match {
	trigger, taken := int(c.set.expressions[expression].trigger), 0
	for at := 0; at <= len(c.text); at = c.lineEnd(at) + 1 {
		out = c.take(out, Match{trigger, at, at}, &taken)
	}
	return out
}

// oneEach leaves each trigger one match that starts in a line, that which ends first,
// and puts them in order: several expressions may belong to one trigger.
func (c *Scanner) oneEach(list []Match) []Match {
	slices.SortFunc(list, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Trigger, b.Trigger), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	kept := list[:0]
	until, taken := -1, 0
	for _, m := range list {
		n := len(kept)
		if n == 0 || kept[n-1].Trigger != m.Trigger {
			taken = 0
		} else if m.Start <= until {
			if m.End < kept[n-1].End {
				kept[n-1] = m
			}
			continue
		}
		if c.most > 0 && taken == c.most {
			c.more[m.Trigger]++
			continue
		}
		until = c.lineEnd(m.Start)
		kept = append(kept, m)
		taken++
	}
	slices.SortFunc(kept, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Trigger, b.Trigger))
	})
	return kept
}

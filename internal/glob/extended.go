package glob

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// CompileExtended is [CompilePath] for the globs of tools whose matcher is picomatch or minimatch. It also understands
//
//	@(a|b)     either
//	?(a|b)     either, or nothing
//	*(a|b)     any number of them, none included
//	+(a|b)     at least one of them
//	!(a|b)     anything with which the rest of the segment would not match if either stood there
//	{1..3}     1, 2 or 3; {01..10}, {a..e} and {0..9..3} too
//
// A pattern that begins with `!(` is such a group, not a negation. Where the two matchers differ, minimatch is followed, which
// does what a shell does: picomatch takes `{1..10}` for one digit and `!(a).ts` for "does not begin with a".
func CompileExtended(pattern string) (*Path, *SyntaxError) { return compilePath(pattern, true) }

// maxRepeats is how deep repeated groups may be inside of each other: matching costs a pass over the pattern for each level.
const maxRepeats = 4

// opensGroup tells whether a group that is also closed begins here.
func (p *parser) opensGroup() bool {
	if !p.extended || p.pos+1 >= len(p.src) || p.src[p.pos+1] != '(' || strings.IndexByte("@?*+!", p.src[p.pos]) < 0 {
		return false
	}
	_, closed := p.groups[p.pos+1]
	return closed
}

// readGroup reads a group. A pattern for one segment is all that a repeated or negated one can hold.
func (p *parser) readGroup() (element, *SyntaxError) {
	open, sign, outer := p.pos, p.src[p.pos], p.group
	p.pos++
	p.count++
	p.group = p.count
	alts, err := p.alternatives(')', "`"+string(sign)+"(` is not closed", "add `)`, or write `\\(` for a bracket")
	p.group = outer
	if err != nil {
		return element{}, err
	}
	switch sign {
	case '@':
		return element{kind: braces, alts: alts}, nil
	case '?':
		return element{kind: braces, alts: append([][]element{nil}, alts...)}, nil
	}
	for _, alt := range alts {
		if message, hint := misplaced(alt, sign, 1); message != "" {
			return element{}, &SyntaxError{open, message, hint}
		}
	}
	if sign == '!' {
		return element{kind: negated, alts: alts}, nil
	}
	return element{kind: repeated, alts: alts, once: sign == '+'}, nil
}

// misplaced says what a repeated or negated group cannot hold.
func misplaced(seq []element, sign byte, repeats int) (message, hint string) {
	for _, e := range seq {
		if e.kind == literal && strings.Contains(e.text, "/") {
			return "a group `" + string(sign) + "(…)` cannot hold a slash", "use `**` or `@(…)`, or write several globs"
		}
		inner := repeats
		switch {
		case e.kind == negated && sign != '!':
			return "a group `!(…)` cannot be repeated", "write several globs"
		case e.kind == repeated:
			if inner++; inner > maxRepeats {
				return fmt.Sprintf("repeated groups are nested deeper than %d", maxRepeats), "write the alternatives side by side"
			}
		}
		for _, alt := range e.alts {
			if message, hint := misplaced(alt, sign, inner); message != "" {
				return message, hint
			}
		}
	}
	return "", ""
}

// groupEnds maps the offset of each round bracket that is closed to the offset where it is.
func groupEnds(src string) map[int]int {
	ends := map[int]int{}
	var open []int
	lastBracket := strings.LastIndexByte(src, ']')
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			if i > lastBracket {
				continue
			}
			if end := classEnd(src, i); end < len(src) {
				i = end
			} else {
				lastBracket = -1
			}
		case '(':
			open = append(open, i)
		case ')':
			if n := len(open); n > 0 {
				ends[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return ends
}

// numberRange and letterRange are what braces hold that stand for a range.
var (
	numberRange = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\{(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?\}`)
	})
	letterRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\{([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?\}`) })
)

// numbers reads braces that hold a range; ok is false if they don't.
func (p *parser) numbers() (alts [][]element, ok bool, problem *SyntaxError) {
	rest := p.src[p.pos:min(len(p.src), p.pos+40)]
	letters := false
	m := numberRange().FindStringSubmatch(rest)
	if m == nil {
		m, letters = letterRange().FindStringSubmatch(rest), true
	}
	if m == nil {
		return nil, false, nil
	}
	value := func(s string) int {
		if letters {
			return int(s[0])
		}
		n, _ := strconv.Atoi(s) // at most nine digits
		return n
	}
	from, to := value(m[1]), value(m[2])
	step, _ := strconv.Atoi(m[3])
	step = max(step, -step, 1)
	count := (max(from, to)-min(from, to))/step + 1
	if count > maxAlternatives {
		return nil, false, &SyntaxError{p.pos, fmt.Sprintf("the range stands for more than %d patterns", maxAlternatives), "use `*`, or a smaller range"}
	}
	if from > to {
		step = -step
	}
	width := 0
	if !letters && (padded(m[1]) || padded(m[2])) {
		width = max(len(m[1]), len(m[2]))
	}
	for i := range count {
		text := fmt.Sprintf("%0*d", width, from+i*step)
		if letters {
			text = string(rune(from + i*step))
		}
		if p.fold {
			text = Fold(text)
		}
		alts = append(alts, []element{{kind: literal, text: text}})
	}
	p.pos += len(m[0])
	return alts, true, nil
}

// padded tells whether a number is written with zeros before it.
func padded(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return len(digits) > 1 && digits[0] == '0'
}

// hasGroups tells whether a segment needs the automaton.
func hasGroups(seq []element) bool {
	for _, e := range seq {
		if e.kind == repeated || e.kind == negated {
			return true
		}
	}
	return false
}

// matchBackwards reports whether the whole of s matches. It goes from the end of the text to its start and knows for each
// instruction whether the rest of the text matches from there on; so a negation asks for what is known already. The cost is
// the length of the text times the instructions times the nesting of repetitions.
func (a *automaton) matchBackwards(s string) bool {
	now, next := make([]bool, len(a.code)), make([]bool, len(a.code))
	for c, n := rune(0), 0; ; {
		a.settle(now, next, c, n > 0)
		if s == "" {
			return now[0]
		}
		_, n = utf8.DecodeLastRuneInString(s)
		c, _ = decode(s[len(s)-n:])
		s = s[:len(s)-n]
		now, next = next, now
		clear(now)
	}
}

// settle fills in one offset of the text. next is what is known after the character c, if there is one.
func (a *automaton) settle(now, next []bool, c rune, more bool) {
	for changed := true; changed; {
		changed = false
		for pc := len(a.code) - 1; pc >= 0; pc-- {
			in := &a.code[pc]
			var yes bool
			switch in.op {
			case opChar:
				yes = more && in.r == c && next[pc+1]
			case opAny:
				yes = more && next[pc+1]
			case opClass:
				yes = more && in.class.has(c) && next[pc+1]
			case opSplit:
				yes = now[in.x] || now[in.y]
			case opJump:
				yes = now[in.x]
			case opNot:
				yes = now[in.y] && !now[in.x]
			case opDone:
				yes = !more
			}
			if yes != now[pc] {
				now[pc], changed = yes, true
			}
		}
	}
}

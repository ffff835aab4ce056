package syntax

import (
	"strings"
	"unicode/utf8"
)

// Bounds on a pattern that is taken apart.
const (
	MaxAlternatives = 1 << 20 // bytes
	// maxApart is for all alternatives, each with what is put around it, in bytes:
	// ten thousand of them after ten kilobytes would be a hundred megabytes.
	maxApart = 4 << 20
)

// Alternative is one of several expressions that together match what one does.
type Alternative struct {
	Offset int // of its own part in the whole, in bytes
	part   string
	*around
}

// around is what is put around the part of each of several alternatives, in a group
// unless both before and after are empty. There may be a great many of them.
type around struct {
	flags         string // that the whole begins with
	before, after string
}

// Text gives the expression. It is put together at each call.
func (a Alternative) Text() string {
	switch {
	case a.before != "" || a.after != "":
		return a.flags + a.before + "(?:" + a.part + ")" + a.after
	case a.flags != "":
		return a.flags + a.part
	default:
		return a.part
	}
}

// lead gives how many bytes of the text are before its own part.
func (a Alternative) lead() int {
	lead := len(a.flags)
	if a.before != "" || a.after != "" {
		lead += len(a.before) + len("(?:")
	}
	return lead
}

// At gives the offset in the whole of an offset in the alternative, in bytes.
func (a Alternative) At(offset int) int { return a.Offset + max(offset-a.lead(), 0) }

// Plain gives the characters of an alternative that stands for nothing but itself,
// and whether there has to be an end of a word before and after it; ok is false if
// it may stand for more.
func (a Alternative) Plain() (text string, before, after, ok bool) {
	if a.flags != "" || a.part == "" || strings.ContainsAny(a.part, `\^$.|?*+()[]{}`) || !utf8.ValidString(a.part) || strings.ContainsRune(a.part, utf8.RuneError) {
		return "", false, false, false
	}
	before, after = a.before == `\b`, a.after == `\b`
	return a.part, before, after, (before || a.before == "") && (after || a.after == "")
}

// Alternatives takes an ECMAScript expression apart: it matches a text if one of
// them does. That is for large ones: parsed as a whole, a million alternatives
// would take a hundred times their length in memory. They are those at the top of
// the expression or, if there is only one, those of its longest group, with what is
// before and after it. nil if there are not several, if it has back-references, or
// if they would come to more than 4 MiB with what is around each.
func Alternatives(pattern string, options Options) []Alternative {
	if options.Dialect != ECMAScript || refersByText(pattern) {
		return nil
	}
	p := &ecmaParser{parser: parser{src: pattern}}
	if options.InlineFlags {
		p.leadingFlags()
	}
	s := splitter{flags: pattern[:p.pos]}
	if !s.split(pattern[p.pos:], p.pos, "", "", 0) || s.size > maxApart {
		return nil
	}
	return s.out
}

// refersByText says whether a pattern has an escape that may be a back-reference.
func refersByText(pattern string) bool {
	for rest := pattern; ; {
		i := strings.IndexByte(rest, '\\')
		if i < 0 || i+1 >= len(rest) {
			return false
		}
		if c := rest[i+1]; c == 'k' || '1' <= c && c <= '9' {
			return true
		}
		rest = rest[i+2:]
	}
}

type splitter struct {
	flags string
	out   []Alternative
	size  int // bytes of their texts
}

// split finds the alternatives of a part of the pattern, whose groups have to be
// closed. before and after are put around each. ok is false if there are none.
func (s *splitter) split(part string, offset int, before, after string, depth int) (ok bool) {
	cuts, groups, ok := outline(part)
	if !ok || depth > maxDepth {
		return false
	}
	if len(cuts) > 0 {
		around := &around{s.flags, before, after}
		s.out = make([]Alternative, 0, len(cuts)+1)
		from := 0
		for _, cut := range append(cuts, len(part)) {
			s.out = append(s.out, Alternative{offset + from, part[from:cut], around})
			s.size += len(s.flags) + len(before) + cut - from + len(after)
			from = cut + 1
		}
		return true
	}
	longest := group{}
	for _, g := range groups {
		if g.end-g.start > longest.end-longest.start {
			longest = g
		}
	}
	if longest.end == 0 || longest.repeated || longest.inside < 0 {
		return false
	}
	opening, closing := longest.start, longest.end
	if longest.modified {
		opening, closing = longest.inside, longest.end-1
	}
	before += part[:opening]
	after = part[closing:] + after
	return s.split(part[longest.inside:longest.end-1], offset+longest.inside, before, after, depth+1)
}

// group is one at the top of a part of a pattern.
type group struct {
	start, end int // end is after the parenthesis
	inside     int // where what is in it begins; -1 for look-around
	repeated   bool
	modified   bool // it has modifiers, as (?i:...), and stays around what is in it
}

// outline finds the bars and the groups at the top of a part; ok is false if its
// parentheses or brackets do not match.
func outline(part string) (bars []int, groups []group, ok bool) {
	depth := 0
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '\\':
			i++
		case '[':
			for i++; i < len(part) && part[i] != ']'; i++ {
				if part[i] == '\\' {
					i++
				}
			}
			if i >= len(part) {
				return nil, nil, false
			}
		case '(':
			if depth++; depth == 1 {
				_, modifiers := modifiersOf(part[i+1:])
				groups = append(groups, group{start: i, inside: insideOf(part[i:], i), modified: modifiers > 0})
			}
		case ')':
			if depth--; depth < 0 {
				return nil, nil, false
			}
			if depth == 0 {
				g := &groups[len(groups)-1]
				g.end = i + 1
				g.repeated = g.end < len(part) && strings.IndexByte("*+?{", part[g.end]) >= 0
			}
		case '|':
			if depth == 0 {
				bars = append(bars, i)
			}
		}
	}
	return bars, groups, depth == 0
}

// insideOf gives where the inside of the group begins that a text begins with.
func insideOf(text string, offset int) int {
	_, modifiers := modifiersOf(text[1:])
	switch {
	case modifiers > 0:
		return offset + 1 + modifiers
	case !strings.HasPrefix(text, "(?"):
		return offset + 1
	case strings.HasPrefix(text, "(?:"):
		return offset + 3
	case strings.HasPrefix(text, "(?<") && !strings.HasPrefix(text, "(?<=") && !strings.HasPrefix(text, "(?<!"):
		if end := strings.IndexByte(text, '>'); end > 0 {
			return offset + end + 1
		}
	}
	return -1
}

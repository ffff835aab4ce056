package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// kind tells the elements of a parsed pattern apart.
type kind uint8

const (
	literal  kind = iota // text
	anyChar              // ?
	star                 // *; two in a row are two elements
	inClass              // [...]
	braces               // {...}, and of the extended syntax @(...) and ?(...)
	repeated             // *(...) and, with once, +(...)
	negated              // !(...)
)

// element is one part of a pattern.
type element struct {
	kind  kind
	text  string      // literal: unescaped, folded if the pattern is
	class *class      // inClass
	alts  [][]element // braces, repeated, negated
	once  bool        // repeated: at least one
	group int         // star: which group it stands in; two of different ones are no `**`
}

type parser struct {
	src      string
	pos      int
	depth    int // open braces and groups
	fold     bool
	extended bool        // groups and ranges are understood
	inner    byte        // what closes the innermost brace or group; 0 outside
	groups   map[int]int // extended: where each group opens and closes
	group    int         // number of the innermost group, 0 outside
	count    int         // groups so far
}

// parse reads a whole pattern. Positions in the error count from the start of src.
func parse(src string, fold, extended bool) ([]element, *SyntaxError) {
	if len(src) > maxPattern {
		return nil, &SyntaxError{maxPattern, fmt.Sprintf("the pattern is longer than %d bytes", maxPattern), "split it into several patterns"}
	}
	for i, r := range src {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(src[i:]); n == 1 {
				return nil, &SyntaxError{i, "the pattern is not valid UTF-8", "save the file as UTF-8"}
			}
		}
	}
	p := parser{src: src, fold: fold, extended: extended}
	if extended {
		p.groups = groupEnds(src)
	}
	return p.sequence()
}

// sequence reads up to the end, or inside braces and groups up to what ends the alternative, which it leaves unread.
func (p *parser) sequence() ([]element, *SyntaxError) {
	var out []element
	var text strings.Builder
	flush := func() {
		if text.Len() == 0 {
			return
		}
		s := text.String()
		if p.fold {
			s = Fold(s)
		}
		out = append(out, element{kind: literal, text: s})
		text.Reset()
	}
	for p.pos < len(p.src) {
		if p.opensGroup() {
			flush()
			group, err := p.readGroup()
			if err != nil {
				return nil, err
			}
			out = append(out, group)
			continue
		}
		switch c := p.src[p.pos]; c {
		case '\\':
			r, n := utf8.DecodeRuneInString(p.src[p.pos+1:])
			if n == 0 {
				return nil, &SyntaxError{p.pos, "the pattern ends with a single backslash", "write `\\\\` for a backslash"}
			}
			text.WriteRune(r)
			p.pos += 1 + n
		case '*':
			flush()
			out = append(out, element{kind: star, group: p.group})
			p.pos++
		case '?':
			flush()
			out = append(out, element{kind: anyChar})
			p.pos++
		case '[':
			flush()
			cl, err := p.class()
			if err != nil {
				return nil, err
			}
			out = append(out, element{kind: inClass, class: cl})
		case '{':
			flush()
			alts, err := p.braces()
			if err != nil {
				return nil, err
			}
			out = append(out, element{kind: braces, alts: alts})
		case '}':
			if p.inner != '}' {
				return nil, &SyntaxError{p.pos, "`}` without `{`", "write `\\}` for a brace, or add the `{`"}
			}
			flush()
			return out, nil
		case ',', '|', ')':
			if p.inner == '}' && c == ',' || p.inner == ')' && c != ',' {
				flush()
				return out, nil
			}
			fallthrough
		default:
			text.WriteByte(c)
			p.pos++
		}
	}
	flush()
	return out, nil
}

func (p *parser) braces() ([][]element, *SyntaxError) {
	if p.extended {
		if alts, ok, err := p.numbers(); ok || err != nil {
			return alts, err
		}
	}
	return p.alternatives('}', "`{` is not closed", "add `}`, or write `\\{` for a brace")
}

// alternatives reads from the opening character, which is in place, to the closing one.
func (p *parser) alternatives(closing byte, unclosed, hint string) ([][]element, *SyntaxError) {
	open, outer := p.pos, p.inner
	p.depth++
	p.inner = closing
	if p.depth > maxDepth {
		return nil, &SyntaxError{open, fmt.Sprintf("braces are nested deeper than %d", maxDepth), "write the alternatives side by side"}
	}
	var alts [][]element
	for {
		p.pos++ // the opening character, or the separator
		alt, err := p.sequence()
		if err != nil {
			return nil, err
		}
		alts = append(alts, alt)
		if p.pos == len(p.src) {
			return nil, &SyntaxError{open, unclosed, hint}
		}
		if p.src[p.pos] == closing {
			p.pos++
			p.depth--
			p.inner = outer
			return alts, nil
		}
	}
}

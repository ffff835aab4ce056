package toolcall

import (
	"strconv"
	"strings"
)

// anyName stands for names that are too many to be followed; no file has it.
const anyName = "\x00"

// Limits of the names that one word may stand for.
const (
	maxNames = 64
	maxSteps = 64 << 10 // bytes that are looked at
)

// alternatives are the names that a word stands for, by its braces: `x.t{s,sx}` is two, `x{1..3}` three.
func alternatives(name string) []string {
	if strings.IndexByte(name, '{') < 0 {
		return []string{name}
	}
	steps := 0
	var out []string
	left := []string{name} // the first is looked at next
	for len(left) > 0 {
		one := left[0]
		before, parts, after := braces(one, &steps)
		switch {
		case steps > maxSteps:
			return append(out, anyName)
		case parts == nil:
			out, left = append(out, one), left[1:]
		case len(out)+len(left)+len(parts) > maxNames:
			return append(out, anyName)
		default:
			next := make([]string, 0, len(parts)+len(left))
			for _, part := range parts {
				next = append(next, before+part+after)
			}
			left = append(next, left[1:]...)
		}
	}
	return out
}

// braces are the parts of the first braces that stand for several names, and what is around them; nil: there are none.
func braces(name string, steps *int) (before string, parts []string, after string) {
	for open := strings.IndexByte(name, '{'); open >= 0 && *steps <= maxSteps; {
		if open == 0 || name[open-1] != '$' {
			if list, end := listed(name, open, steps); list != nil {
				return name[:open], list, name[end:]
			}
		}
		next := strings.IndexByte(name[open+1:], '{')
		if next < 0 {
			break
		}
		open += 1 + next
	}
	return "", nil, ""
}

// listed are the parts in the braces at a place, and where these end.
func listed(name string, open int, steps *int) (parts []string, end int) {
	depth, start := 0, open+1
	for i := open; i < len(name) && *steps <= maxSteps; i++ {
		*steps++
		switch name[i] {
		case '{':
			depth++
		case ',':
			if depth == 1 {
				parts, start = append(parts, name[start:i]), i+1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			if parts == nil {
				return ranged(name[start:i]), i + 1
			}
			return append(parts, name[start:i]), i + 1
		}
	}
	return nil, 0
}

// ranged are the numbers or letters of `1..3` or `a..c`; nil: it is no such thing.
func ranged(text string) []string {
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		return nil
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	shown := strconv.Itoa
	switch {
	case err == nil && err2 == nil:
	case len(from) == 1 && len(to) == 1:
		first, last = int(from[0]), int(to[0])
		shown = func(c int) string { return string(rune(c)) }
	default: // a step, or no range at all
		if step := strings.LastIndex(to, ".."); step >= 0 {
			return []string{anyName}
		}
		return nil
	}
	if first > last {
		first, last = last, first
	}
	if last-first >= maxNames || last-first < 0 || len(from) > 1 && from[0] == '0' {
		return []string{anyName}
	}
	var out []string
	for n := first; n <= last; n++ {
		out = append(out, shown(n))
	}
	return out
}

// loop sets the variable of `for NAME in WORD...`: it stands for each of the words, one after the other.
func (s *script) loop(words []string) {
	if len(words) < 4 || words[2] != "in" || nameSize(words[1]) != len(words[1]) {
		return
	}
	list := words[3:]
	value := setting{name: list[0], text: strings.Join(list, " ")}
	if len(list) > 1 {
		value.name = "{" + strings.Join(list, ",") + "}"
	}
	if len(list) > maxNames {
		value.name = anyName
	}
	s.keep(words[1], value)
}

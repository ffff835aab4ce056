package gitignore

import "strings"

// parseClass reads a class from after its `[` on; nil if it is not closed, or
// names something that there is not.
func parseClass(pattern string, i int) (class *[256]bool, end int) {
	class = new([256]bool)
	negate := false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		negate = true
		i++
	}
	before := -1 // the character that a range may begin with
	for first := true; ; first = false {
		if i >= len(pattern) {
			return nil, i
		}
		c := pattern[i]
		switch {
		case c == ']' && !first:
			if negate {
				for b := range class {
					class[b] = !class[b]
				}
			}
			return class, i + 1
		case c == '[' && strings.HasPrefix(pattern[i+1:], ":"):
			name, _, closed := strings.Cut(pattern[i+2:], "]")
			if !closed {
				return nil, i
			}
			if inner, ok := strings.CutSuffix(name, ":"); ok {
				has := posixClass(inner)
				if has == nil {
					return nil, i
				}
				for b := range class {
					class[b] = class[b] || has(byte(b))
				}
				i += len("[:") + len(name) + len("]")
				before = -1
				continue
			}
		case c == '-' && before >= 0 && i+1 < len(pattern) && pattern[i+1] != ']':
			i++
			if pattern[i] == '\\' {
				i++
			}
			if i >= len(pattern) {
				return nil, i
			}
			for b := before; b <= int(pattern[i]); b++ {
				class[b] = true
			}
			i++
			before = -1
			continue
		case c == '\\':
			if i++; i >= len(pattern) {
				return nil, i
			}
			c = pattern[i]
		}
		class[c] = true
		before = int(c)
		i++
	}
}

// posixClass gives what is in a class of POSIX, which is ASCII to git; nil if there
// is no such class.
func posixClass(name string) func(byte) bool {
	within := func(lo, hi byte) func(byte) bool { return func(c byte) bool { return lo <= c && c <= hi } }
	either := func(all ...func(byte) bool) func(byte) bool {
		return func(c byte) bool {
			for _, has := range all {
				if has(c) {
					return true
				}
			}
			return false
		}
	}
	lower, upper, digit, graph := within('a', 'z'), within('A', 'Z'), within('0', '9'), within('!', '~')
	alnum := either(lower, upper, digit)
	switch name {
	case "alnum":
		return alnum
	case "alpha":
		return either(lower, upper)
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return either(within(0, 0x1f), within(0x7f, 0x7f))
	case "digit":
		return digit
	case "graph":
		return graph
	case "lower":
		return lower
	case "print":
		return within(' ', '~')
	case "punct":
		return func(c byte) bool { return graph(c) && !alnum(c) }
	case "space":
		return either(within('\t', '\r'), within(' ', ' '))
	case "upper":
		return upper
	case "xdigit":
		return either(digit, within('a', 'f'), within('A', 'F'))
	}
	return nil
}

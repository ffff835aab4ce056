package gitignore

import "strings"

// glob is a pattern of .gitignore. It is not the glob of a rule: git compares
// bytes, knows the classes of POSIX, and takes `.` and braces for what they are.
type glob struct {
	prefix string // what the path begins with, before the first wildcard
	suffix string // what it ends with, if all else is one `*`
	star   bool   // prefix, one `*`, suffix is all there is
	tail   string // what it ends with, after the last wildcard
	steps  []step
}

type step struct {
	kind  kind
	char  byte
	class *[256]bool
}

type kind uint8

const (
	kindChar   kind = iota
	kindAny         // `?`
	kindStar        // `*`
	kindClass       // `[...]`
	kindAll         // `**` at the end: anything
	kindDirs        // `**/`: nothing, or any folders; the next step is kindInside
	kindInside      // any folders and the slash after them
)

// parseGlob reads a pattern; ok is false if it can match nothing.
func parseGlob(pattern string) (g glob, ok bool) {
	wild := strings.IndexAny(pattern, `*?[\`)
	if wild < 0 {
		return glob{prefix: pattern}, true
	}
	g.prefix = pattern[:wild]
	if rest := pattern[wild+1:]; pattern[wild] == '*' && !strings.ContainsAny(rest, `*?[\`) {
		g.star, g.suffix = true, rest
		return g, true
	}
	for i := wild; i < len(pattern); {
		switch c := pattern[i]; c {
		case '\\':
			if i+1 == len(pattern) {
				return g, false
			}
			g.add(step{char: pattern[i+1]})
			i += 2
		case '?':
			g.add(step{kind: kindAny})
			i++
		case '*':
			i = g.stars(pattern, i, wild)
		case '[':
			class, end := parseClass(pattern, i+1)
			if class == nil {
				return g, false
			}
			g.add(step{kind: kindClass, class: class})
			i = end
		default:
			g.add(step{char: c})
			i++
		}
	}
	g.learnTail()
	return g, true
}

// learnTail finds what every path ends with that matches. Most are settled by it.
func (g *glob) learnTail() {
	at := len(g.steps)
	for at > 0 && g.steps[at-1].kind == kindChar {
		at--
	}
	tail := make([]byte, 0, len(g.steps)-at)
	for _, s := range g.steps[at:] {
		tail = append(tail, s.char)
	}
	g.tail = string(tail)
}

func (g *glob) add(s step) { g.steps = append(g.steps, s) }

// stars reads one star or several. Git looks at what follows the prefix as if it
// were all of the pattern, so that in `a**/b` too they cross folders.
func (g *glob) stars(pattern string, i, wild int) int {
	end := i
	for end < len(pattern) && pattern[end] == '*' {
		end++
	}
	rest := pattern[end:]
	whole := end-i > 1 && (i == wild || pattern[i-1] == '/')
	switch {
	case whole && strings.HasPrefix(rest, "/"):
		g.add(step{kind: kindDirs})
		g.add(step{kind: kindInside})
		end++
	case whole && (rest == "" || strings.HasPrefix(rest, `\/`)):
		g.add(step{kind: kindAll})
	default:
		g.add(step{kind: kindStar})
	}
	return end
}

// match tells whether all of a path, relative and with slashes, matches. It adds
// to spent what that took.
func (g *glob) match(path string, spent *int) bool {
	rest, ok := strings.CutPrefix(path, g.prefix)
	switch {
	case !ok:
		return false
	case g.star:
		middle, ok := strings.CutSuffix(rest, g.suffix)
		return ok && !strings.Contains(middle, "/")
	case g.steps == nil:
		return rest == ""
	case !strings.HasSuffix(rest, g.tail):
		return false
	}
	// All positions in the pattern at which the path so far may end, at once: the
	// cost is the length of the path times that of the pattern, whatever they are.
	var buffer [2][64]bool
	now, next := buffer[0][:], buffer[1][:]
	if n := len(g.steps) + 1; n > len(now) {
		now, next = make([]bool, n), make([]bool, n)
	}
	now[0] = true
	for i := range len(rest) {
		g.skip(now)
		clear(next)
		alive := false
		for p := range g.steps {
			if now[p] && g.step(next, p, rest[i]) {
				alive = true
			}
		}
		*spent += len(g.steps)
		if !alive {
			return false
		}
		now, next = next, now
	}
	g.skip(now)
	return now[len(g.steps)]
}

// skip goes on after the steps that may match nothing.
func (g *glob) skip(now []bool) {
	for p, s := range g.steps {
		if !now[p] {
			continue
		}
		switch s.kind {
		case kindStar, kindAll:
			now[p+1] = true
		case kindDirs:
			now[p+1], now[p+2] = true, true
		}
	}
}

// step takes one byte, and says whether the step at p allows it.
func (g *glob) step(next []bool, p int, c byte) bool {
	s := &g.steps[p]
	switch {
	case s.kind == kindChar && s.char == c,
		s.kind == kindAny && c != '/',
		s.kind == kindClass && c != '/' && s.class[c]:
		next[p+1] = true
	case s.kind == kindStar && c != '/', s.kind == kindAll:
		next[p] = true
	case s.kind == kindInside:
		next[p] = true
		if c == '/' {
			next[p+1] = true
		}
	default:
		return false
	}
	return true
}

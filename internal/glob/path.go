package glob

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// Path is a compiled path glob. Paths are relative, with slashes, and have no `.` or `..` segments; a caller on Windows
// converts backslashes first. `*`, `?` and classes never match a slash and do match a leading dot; a segment `**` stands for
// any number of whole segments, none included, so `a/**` matches `a` too. `**` beside other characters of a segment means `*`.
//
// Braces are counted when a glob is read, and written out when it is first compared: a stranger's rules may have thousands of
// which none is ever asked for.
type Path struct {
	body     string // without what pathBody takes off
	extended bool
	negated  bool
	rooted   bool
	hasSlash bool
	weight   int

	expanded sync.Once
	routes   []route // the alternatives
}

// route is one alternative: a list of segments.
type route struct {
	segments []segment
	text     string // the whole path, if plain
	plain    bool
	prefix   string // what every matching path begins with, up to where that is certain
	suffix   string // what every matching path ends with
	tail     bool   // the route is `**/*` + suffix, and the suffix has no slash: nothing else needs to be looked at
}

type segment struct {
	globstar bool
	wild     wild
	groups   *automaton // not nil: it decides; wild then only knows the literals at the ends
}

func (s *segment) match(text string) bool {
	if s.groups != nil {
		return s.groups.matchBackwards(text)
	}
	var m meter
	return s.wild.match(text, &m)
}

// CompilePath reads a path glob. A leading `!` is taken off and reported by Negated; leading `./` is dropped.
func CompilePath(pattern string) (*Path, *SyntaxError) { return compilePath(pattern, false) }

// pathBody takes off what stands before a path: a negation, and `./`.
func pathBody(pattern string, extended bool) (negated bool, body string) {
	body = pattern
	if strings.HasPrefix(body, "!") && !(extended && strings.HasPrefix(body, "!(")) {
		negated, body = true, body[1:]
	}
	for strings.HasPrefix(body, "./") {
		body = body[2:]
	}
	return negated, body
}

func tooManyAlternatives(body string, cut int) *SyntaxError {
	return &SyntaxError{
		cut + max(strings.IndexAny(body, "{("), 0),
		fmt.Sprintf("the braces stand for more than %d patterns", maxAlternatives), "use `*`, or write several globs",
	}
}

func compilePath(pattern string, extended bool) (*Path, *SyntaxError) {
	negated, body := pathBody(pattern, extended)
	cut := len(pattern) - len(body)
	seq, err := parse(body, false, extended)
	if err != nil {
		err.Offset += cut
		return nil, err
	}
	s := sizeOf(seq)
	if s.alternatives > maxAlternatives || s.weight > maxExpanded {
		return nil, tooManyAlternatives(body, cut)
	}
	return &Path{
		body: body, extended: extended, negated: negated, rooted: strings.HasPrefix(body, "/"), hasSlash: holdsSlash(seq),
		weight: int(s.alternatives + s.weight),
	}, nil
}

// holdsSlash tells whether some alternative has a slash.
func holdsSlash(seq []element) bool {
	for _, e := range seq {
		if e.kind == literal && strings.Contains(e.text, "/") || slices.ContainsFunc(e.alts, holdsSlash) {
			return true
		}
	}
	return false
}

// alternatives writes out the braces. What was read once can be read again: keeping the elements would take more memory than
// the text that they were read from.
func (p *Path) alternatives() []route {
	p.expanded.Do(func() {
		seq, err := parse(p.body, false, p.extended)
		if err != nil {
			return
		}
		alts, _ := expand(seq, maxAlternatives) // it was counted
		for _, alt := range alts {
			p.routes = append(p.routes, newRoute(alt))
		}
	})
	return p.routes
}

func newRoute(seq []element) route {
	var r route
	var cur []element
	end := func() {
		stars := 0
		for _, e := range cur {
			if e.kind == star {
				stars++
			}
		}
		if stars == 2 && len(cur) == 2 && cur[0].group == cur[1].group {
			// `**/**` is `**`.
			if n := len(r.segments); n == 0 || !r.segments[n-1].globstar {
				r.segments = append(r.segments, segment{globstar: true})
			}
		} else {
			r.segments = append(r.segments, newSegment(cur))
		}
		cur = nil
	}
	for _, e := range seq {
		if e.kind != literal {
			cur = append(cur, e)
			continue
		}
		for i, text := range strings.Split(e.text, "/") {
			if i > 0 {
				end()
			}
			if text != "" {
				cur = append(cur, element{kind: literal, text: text})
			}
		}
	}
	end()
	r.learn()
	return r
}

// newSegment takes elements without braces and slashes.
func newSegment(seq []element) segment {
	if !hasGroups(seq) {
		return segment{wild: newWild(seq)}
	}
	ends := []element{{kind: star}}
	if seq[0].kind == literal {
		ends = []element{seq[0], ends[0]}
	}
	if last := seq[len(seq)-1]; last.kind == literal {
		ends = append(ends, last)
	}
	return segment{wild: newWild(ends), groups: newAutomaton(seq)}
}

// learn fills in what is known without looking at a path.
func (r *route) learn() {
	plain := make([]string, 0, len(r.segments))
	for i := range r.segments {
		s := &r.segments[i]
		if s.globstar {
			break
		}
		text, ok := s.wild.plainText()
		if !ok {
			break
		}
		plain = append(plain, text)
	}
	r.text = strings.Join(plain, "/")
	n := len(plain)
	if n == len(r.segments) {
		r.plain = true
		r.prefix, r.suffix = r.text, r.text
		return
	}
	r.prefix = r.text
	if n > 0 && !(r.segments[n].globstar && n+1 == len(r.segments)) {
		r.prefix += "/" // `a/**` matches `a` itself, every other route goes on after the slash
	}
	if !r.segments[n].globstar {
		r.prefix += r.segments[n].wild.prefix()
	}
	last := &r.segments[len(r.segments)-1]
	if last.globstar {
		return
	}
	r.suffix = last.wild.suffix()
	if len(r.segments) == 2 && r.segments[0].globstar && last.groups == nil && len(last.wild.chunks) == 2 &&
		last.wild.chunks[0].chars == 0 && last.wild.chunks[1].plain {
		r.tail = true
	}
}

// Match reports whether the path matches, the leading `!` left out of account.
func (p *Path) Match(slashPath string) bool {
	routes := p.alternatives()
	for i := range routes {
		if routes[i].match(slashPath) {
			return true
		}
	}
	return false
}

// match walks segments of pattern and path together. A globstar is first taken for nothing; when a later segment does not
// fit, the last globstar takes one segment more. Only the last one needs to be tried again, because what stands between two
// globstars may as well be found at its first occurrence.
func (r *route) match(s string) bool {
	if r.plain {
		return s == r.text
	}
	if !strings.HasPrefix(s, r.prefix) || !strings.HasSuffix(s, r.suffix) {
		return false
	}
	if r.tail {
		return true
	}
	i, pos := 0, 0           // next segment of the pattern; where the next segment of the path begins, len(s)+1 at the end
	again, againPos := -1, 0 // the segment after the last globstar, and where to try it next
	for {
		if i < len(r.segments) && r.segments[i].globstar {
			i++
			if i == len(r.segments) {
				return true
			}
			again, againPos = i, pos
			continue
		}
		if pos > len(s) {
			return i == len(r.segments)
		}
		end := pos + strings.IndexByte(s[pos:], '/')
		if end < pos {
			end = len(s)
		}
		if i < len(r.segments) && r.segments[i].match(s[pos:end]) {
			i++
			pos = end + 1
			continue
		}
		if again < 0 || againPos > len(s) {
			return false
		}
		next := strings.IndexByte(s[againPos:], '/')
		if next < 0 {
			return false
		}
		againPos += next + 1
		i, pos = again, againPos
	}
}

// Saved is a glob that was read, as it can be kept.
type Saved struct {
	Text     string // not as the author wrote it: [Saved.Path] alone reads it
	Extended bool
}

// Saved gives what [Saved.Path] makes the same glob of, without the negation.
func (p *Path) Saved() Saved { return Saved{p.body, p.extended} }

// Path goes on with a glob that was kept. It is not checked again, and matches nothing if it was never a glob.
func (s Saved) Path() *Path { return &Path{body: s.Text, extended: s.Extended} }

// Weight is about how much there is to hold, and at worst to compare with each
// character of a path: who takes globs from strangers adds them up.
func (p *Path) Weight() int { return p.weight }

// Negated reports whether the pattern began with `!`.
func (p *Path) Negated() bool { return p.negated }

// Rooted reports whether the pattern begins with a slash. It then matches no relative path; what it should mean is the
// caller's to decide.
func (p *Path) Rooted() bool { return p.rooted }

// HasSlash reports whether some alternative has a slash.
func (p *Path) HasSlash() bool { return p.hasSlash }

// Prefix is what every matching path begins with; empty if nothing is known.
func (p *Path) Prefix() string {
	routes := p.alternatives()
	s := routes[0].prefix
	for _, r := range routes[1:] {
		s = commonPrefix(s, r.prefix)
	}
	return s
}

// Suffix is what every matching path ends with; empty if nothing is known.
func (p *Path) Suffix() string {
	routes := p.alternatives()
	s := routes[0].suffix
	for _, r := range routes[1:] {
		s = commonSuffix(s, r.suffix)
	}
	return s
}

// Extensions returns the extensions (with the dot, as path.Ext gives them; empty for none) that matching paths can have,
// sorted; nil if any extension is possible.
func (p *Path) Extensions() []string {
	var out []string
	routes := p.alternatives()
	for i := range routes {
		r := &routes[i]
		last := &r.segments[len(r.segments)-1]
		if last.globstar {
			return nil
		}
		tail := last.wild.suffix()
		_, plain := last.wild.plainText()
		ext := path.Ext(tail)
		if ext == "" && !plain {
			return nil
		}
		out = append(out, ext)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

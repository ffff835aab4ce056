package glob

import "strings"

// route is one alternative: a list of segments.
type route struct {
	segments []segment
	text     string // the whole path, if plain
	plain    bool
	prefix   string  // what every matching path begins with, up to where that is certain
	suffix   string  // what every matching path ends with
	letters  Letters // what every matching path has
	tail     bool    // the route is `**/*` + suffix, and the suffix has no slash: nothing else needs to be looked at
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
	for i := range r.segments {
		for _, c := range r.segments[i].wild.chunks {
			for _, e := range c.parts {
				if e.kind == literal {
					l := LettersOf(e.text)
					r.letters[0] |= l[0]
					r.letters[1] |= l[1]
				}
			}
		}
	}
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
		if againPos < pos { // end belongs to a later segment
			end = againPos + strings.IndexByte(s[againPos:], '/')
		}
		if end == len(s) {
			return false
		}
		againPos = end + 1
		i, pos = again, againPos
	}
}
